import { randomUUID } from 'node:crypto'
import type { Context } from '@trunkline/mcp'
import { askCaller } from './ask-caller.ts'
import { PasswordPage } from './password-page.ts'
import type { ProgramCall, ProgramOutcome } from './program-run.ts'
import { TerminalRun } from './terminal-run.ts'
import type { WrapLimits } from './wrap-limits.ts'

interface KeptRun {
  readonly run: TerminalRun
  readonly page: PasswordPage
  /** Ends the run if no answer comes. */
  expiry: NodeJS.Timeout | undefined
}

/** The programs that run in terminals; one that waits for an answer is kept although the call that started it has ended. */
export class TerminalRuns {
  readonly #limits: WrapLimits
  readonly #runs = new Map<string, KeptRun>()

  constructor(limits: WrapLimits) {
    this.#limits = limits
  }

  /** Runs a program to its end, passing its questions on to the caller. */
  async complete(call: Omit<ProgramCall, 'signal'>, ctx: Context): Promise<ProgramOutcome> {
    // a call that comes back with an answer finds the program that it started
    const id = await ctx.once('program', () => this.#begin(call))
    const kept = this.#runs.get(id)
    if (kept === undefined) throw new Error('Cannot go on: the program waited too long for an answer, and was ended')
    clearTimeout(kept.expiry)
    const left = (): void => this.#left(id, kept, ctx.signal)
    if (ctx.signal.aborted) left()
    ctx.signal.addEventListener('abort', left)
    try {
      const outcome = await this.#converse(kept, ctx)
      this.#forget(id)
      return outcome
    } catch (error) {
      this.#forget(id)
      await kept.run.stop()
      throw error
    }
  }

  async #converse({ run, page }: KeptRun, ctx: Context): Promise<ProgramOutcome> {
    for (let at = 0; ; at++) {
      const event = await run.event(at)
      if ('outcome' in event) return event.outcome
      const answer = askCaller(event.question, { ctx, page, key: `question-${at}` })
      run.answer(at, await inTime(answer, this.#limits.maxAnswerMs, ctx.signal))
    }
  }

  #begin(call: Omit<ProgramCall, 'signal'>): string {
    const { maxWaitingRuns } = this.#limits
    if (this.#runs.size >= maxWaitingRuns)
      throw new Error(`Cannot start the program: ${maxWaitingRuns} of it run in terminals already; try again later`)
    const id = randomUUID()
    this.#runs.set(id, { run: new TerminalRun(call), page: new PasswordPage(), expiry: undefined })
    return id
  }

  /** The call has ended: for good, or until it comes back with an answer. */
  #left(id: string, kept: KeptRun, signal: AbortSignal): void {
    const end = (): void => {
      this.#forget(id)
      void kept.run.stop()
    }
    if (!comesBack(signal)) return end()
    kept.expiry = setTimeout(end, this.#limits.maxAnswerMs)
  }

  #forget(id: string): void {
    this.#runs.get(id)?.page.close()
    clearTimeout(this.#runs.get(id)?.expiry)
    this.#runs.delete(id)
  }
}

/** True if the call ended to be made again with the answer to a question, and not because its caller gave up. */
function comesBack({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.message === 'The call waits for input and will be run again'
}

/** Waits for an answer for so long, or until the call has ended, which others see to. */
function inTime(answer: Promise<string>, ms: number, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('Cannot wait for an answer any longer: the program was ended')), ms)
    signal.addEventListener('abort', () => clearTimeout(late), { once: true })
    answer.then(resolve, reject).finally(() => clearTimeout(late))
  })
}
