import { type ChildProcess, spawn } from 'node:child_process'
import { CapturedStream } from './captured-stream.ts'
import { ProcessGroup } from './process-group.ts'
import { cannotStart, type ProgramCall, type ProgramOutcome } from './program-run.ts'
import { childrenOf, terminalMode } from './terminal-mode.ts'
import { questionOn, type TerminalQuestion } from './terminal-question.ts'

/** Event in a terminal: the program asks, or it has ended. */
export type TerminalEvent = { readonly question: TerminalQuestion } | { readonly outcome: ProgramOutcome }

/** A program in a terminal of its own, which may ask and wait for an answer. */
export class TerminalRun {
  readonly #call: Omit<ProgramCall, 'signal'>
  readonly #child: ChildProcess
  readonly #group: ProcessGroup
  readonly #captured: CapturedStream
  readonly #events: Promise<TerminalEvent>[] = []
  #screen = ''
  #quiet: NodeJS.Timeout | undefined
  #late: NodeJS.Timeout | undefined
  #isTimedOut = false
  #tell: (event: TerminalEvent) => void = () => {}
  #fail: (error: Error) => void = () => {}
  #answered = 0
  /** Last typed answer, which the terminal shows. */
  #typed = ''

  constructor(call: Omit<ProgramCall, 'signal'>) {
    this.#call = call
    this.#captured = new CapturedStream(call.outputs, call.limits)
    this.#child = inTerminal(call)
    const { pid } = this.#child
    this.#group = new ProcessGroup(this.#child, () => (pid === undefined ? [] : [...childrenOf(pid), pid]))
    call.onStart?.(this.#group)
    this.#expect()
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#see(chunk))
    this.#child.stdin?.on('error', () => {})
    this.#child.once('error', (error) => this.#fail(cannotStart('script', error)))
    this.#child.once('close', (exitCode, signal) => this.#end(exitCode, signal))
  }

  /** Event after so many answers; the same at every call. */
  event(answers: number): Promise<TerminalEvent> {
    const event = this.#events[answers]
    if (event === undefined) throw new Error('Cannot go on: the program was not answered yet')
    return event
  }

  /** Types an answer to a question and Enter; a question is answered once. */
  answer(question: number, typed: string): void {
    if (question !== this.#answered) return
    this.#answered += 1
    this.#screen = ''
    this.#typed = typed
    this.#expect()
    // an answer is one line, whatever is in it
    this.#child.stdin?.write(`${typed.replaceAll(/\p{Cc}/gu, ' ')}\r`)
  }

  stop(): Promise<void> {
    return this.#group.stop()
  }

  #expect(): void {
    const event = new Promise<TerminalEvent>((resolve, reject) => {
      this.#tell = resolve
      this.#fail = reject
    })
    // the caller may be gone by then
    event.catch(() => {})
    this.#events.push(event)
    clearTimeout(this.#late)
    this.#late = setTimeout(() => {
      this.#isTimedOut = true
      void this.stop()
    }, this.#call.timeoutMs)
  }

  #see(chunk: Buffer): void {
    this.#captured.take(chunk)
    this.#screen = (this.#screen + chunk.toString()).slice(-maxScreen)
    clearTimeout(this.#quiet)
    this.#quiet = setTimeout(() => void this.#look(), quietMs)
  }

  async #look(): Promise<void> {
    const screen = this.#screen
    const [program] = childrenOf(this.#child.pid ?? 0)
    const mode = program === undefined ? undefined : await terminalMode(program)
    const echo = `${this.#typed}\r\n`
    const question = questionOn(screen.startsWith(echo) ? screen.slice(echo.length) : screen, mode)
    if (question === undefined || screen !== this.#screen) return
    clearTimeout(this.#late)
    this.#tell({ question })
  }

  #end(exitCode: number | null, signal: NodeJS.Signals | null): void {
    clearTimeout(this.#quiet)
    clearTimeout(this.#late)
    const stdout = this.#captured.end()
    const stderr = { head: new Uint8Array(), total: 0 }
    this.#tell({ outcome: { exitCode, signal, isTimedOut: this.#isTimedOut, stdout, stderr } })
  }
}

/** Silence after which a program with half a line on the screen is taken to wait for an answer. */
const quietMs = 400
const maxScreen = 4_096

/**
 * Starts a program with `script`, which makes the terminal. That takes a line for a shell: it has the numbers of variables in it
 * and nothing else, so that no shell reads a word of the program's.
 */
function inTerminal({ command, args, cwd, env }: Omit<ProgramCall, 'signal'>): ChildProcess {
  const words = [command, ...args]
  const names = words.map((_, at) => `TRUNKLINE_WORD_${at}`)
  const line = [
    ...names.map((name, at) => `w${at}=$${name}`),
    `unset ${names.join(' ')}`,
    `exec ${names.map((_, at) => `"$w${at}"`).join(' ')}`,
  ].join('; ')
  const variables = Object.fromEntries(words.map((word, at) => [`TRUNKLINE_WORD_${at}`, word]))
  const options = ['--quiet', '--return', '--flush', '--echo', 'always', '--command', line, '/dev/null']
  return spawn('script', options, {
    cwd,
    env: { ...env, TERM: 'dumb', COLUMNS: '120', LINES: '40', ...variables, SHELL: '/bin/sh' },
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
}
