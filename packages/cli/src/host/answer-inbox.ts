import { styled } from '../output/span.ts'
import { type AnsweringOptions, answerQuestion } from './answer-question.ts'
import type { HostLink } from './host-link.ts'
import type { ShownQuestion } from './show.ts'

export interface InboxOptions extends AnsweringOptions {
  /** True to wait for further questions. */
  readonly watch: boolean
}

/**
 * Asks a person about every open question, and about those that come while they watch. What is answered at another door, or
 * not needed any more, is taken from the screen at once.
 */
export async function answerInbox(host: HostLink, options: InboxOptions): Promise<void> {
  const { output, terminal, signal, watch } = options
  const { items: open } = await host.call('inbox')
  if (open.length === 0 && !watch) return output.note('Nothing waits for you')
  if (watch) {
    output.endsWhenStopped('Stopped')
    output.note('Waiting for questions; Ctrl-C ends')
  }
  const inbox = new OpenQuestions(host, signal, watch ? [] : open)
  try {
    for (;;) {
      const question = watch ? await inbox.next() : open.shift()
      if (!question) return
      const withdrawn = inbox.withdrawn(question.id)
      if (withdrawn.aborted) continue
      await answerQuestion(host, question, { ...options, signal: AbortSignal.any([signal, withdrawn]) }).catch(
        (error) => {
          if (signal.aborted || !withdrawn.aborted) throw error
          terminal.screen.write('\n')
          output.note(styled('warning', `Settled meanwhile: ${withdrawn.reason}`))
        },
      )
    }
  } finally {
    inbox.end()
  }
}

/** The questions that are open, by what the host tells of them. */
class OpenQuestions {
  readonly #withdrawals = new Map<string, AbortController>()
  readonly #waiting: ShownQuestion[] = []
  readonly #ended = new AbortController()
  #failure: unknown
  #wake = (): void => {}

  constructor(host: HostLink, signal: AbortSignal, open: readonly ShownQuestion[]) {
    for (const { id } of open) this.#withdrawals.set(id, new AbortController())
    void this.#follow(host, AbortSignal.any([signal, this.#ended.signal]))
  }

  /** Aborts when a question needs no answer any more, with the reason. */
  withdrawn(id: string): AbortSignal {
    return this.#withdrawals.get(id)?.signal ?? AbortSignal.abort('it is gone')
  }

  /** The next one to ask; undefined when the host has ended. */
  async next(): Promise<ShownQuestion | undefined> {
    while (this.#waiting.length === 0 && !this.#ended.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#failure !== undefined) throw this.#failure
    return this.#waiting.shift()
  }

  end(): void {
    this.#ended.abort()
  }

  async #follow(host: HostLink, signal: AbortSignal): Promise<void> {
    try {
      for await (const event of host.events(signal)) {
        if (event.event === 'withdrawn') this.#settle(event.id, event.by)
        if (event.event === 'question' && !this.#withdrawals.has(event.question.id)) this.#add(event.question)
      }
    } catch (error) {
      if (!this.#ended.signal.aborted) this.#failure = error
    }
    this.end()
    this.#wake()
  }

  #add(question: ShownQuestion): void {
    this.#withdrawals.set(question.id, new AbortController())
    this.#waiting.push(question)
    this.#wake()
  }

  #settle(id: string, by: string): void {
    this.#withdrawals.get(id)?.abort(by)
    this.#withdrawals.delete(id)
  }
}
