import { createInterface } from 'node:readline'
import type { Output } from '../output/output.ts'
import { type Line, plainLine } from '../output/span.ts'
import type { Terminal } from './terminal.ts'

/** Help for typing a line. */
export interface TypingHelp {
  /** Earlier lines, newest first. */
  readonly history?: readonly string[]
  /** Candidates for the end of a line, and the part of them that is already typed. */
  readonly complete?: (line: string) => Promise<[string[], string]>
}

/** Asks the person at the terminal, one question after another. */
export class TerminalQuestions {
  readonly #terminal: Terminal
  readonly #output: Output
  readonly #signal: AbortSignal
  #last: Promise<unknown> = Promise.resolve()

  constructor(terminal: Terminal, output: Output, signal: AbortSignal) {
    this.#terminal = terminal
    this.#output = output
    this.#signal = signal
  }

  /** Settles one question before the next is shown, also when several are asked at the same time. */
  inTurn<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const answer = this.#last.then(ask)
    this.#last = answer.catch(() => {})
    return answer
  }

  /** Shows what the question is about. */
  say(...lines: readonly Line[]): void {
    for (const line of lines) this.#output.note(line)
  }

  /** Reads a typed line; undefined if the input was closed. */
  line(question: Line, help: TypingHelp = {}): Promise<string | undefined> {
    this.#signal.throwIfAborted()
    return this.#output.asking(() => this.#read(question, help))
  }

  #read(question: Line, { history = [], complete }: TypingHelp): Promise<string | undefined> {
    const { input, screen } = this.#terminal
    const reader = createInterface({
      input,
      output: screen,
      terminal: true,
      history: [...history],
      ...(complete && { completer: quietly(complete) }),
    })
    return new Promise<string | undefined>((resolve, reject) => {
      const abort = (): void => {
        // the message begins a line of its own
        screen.write('\n')
        reject(this.#signal.reason)
      }
      this.#signal.addEventListener('abort', abort, { once: true })
      // a terminal that is read key by key does not turn Ctrl-C into a signal by itself
      reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
      reader.on('close', () => resolve(undefined))
      reader.question(`${plainLine(question)} `, (answer) => {
        this.#signal.removeEventListener('abort', abort)
        resolve(answer.trim())
      })
    }).finally(() => reader.close())
  }

  /** One of a few letters, such as `y` and `n`; Enter alone is none of them, and closing the input is the last. */
  async choice<Letter extends string>(question: string, letters: readonly Letter[]): Promise<Letter> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const answer = await this.line(`${question} [${letters.join('/')}]`)
      if (answer === undefined) break
      const found = letters.find((letter) => letter === answer.toLowerCase())
      if (found !== undefined) return found
    }
    return letters.at(-1) as Letter
  }
}

/** A line can be typed without completion. */
function quietly(complete: NonNullable<TypingHelp['complete']>) {
  return (line: string, done: (error: null, found: [string[], string]) => void): void => {
    complete(line).then(
      (found) => done(null, found),
      () => done(null, [[], line]),
    )
  }
}

/** Attempts at one question before the answer counts as a refusal. */
export const maxAttempts = 10
