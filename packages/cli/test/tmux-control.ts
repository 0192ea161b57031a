/** A tmux of its own in control mode: one process takes all commands and tells of output, instead of one for each look. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** Output within this time counts as one: what is drawn anew comes in many pieces. */
const togetherMs = 20
/** Longest wait for output, for what changes on a screen without any. */
const lookAgainMs = 250

interface Pending {
  resolve(printed: string): void
  reject(error: Error): void
}

/** A tmux with a pane of 160 columns and 50 lines, in which a line for a shell runs. */
export class Tmux {
  /** The id of that pane. */
  readonly pane: Promise<string>
  readonly #client: ChildProcessByStdio<Writable, Readable, null>
  readonly #closed: Promise<unknown>
  readonly #pending: Pending[] = []
  readonly #waiting = new Set<() => void>()
  /** The end of the answer that is being read, and what it says so far. */
  #answer: { readonly end: string; text: string } | undefined

  constructor(socket: string, line: string) {
    const session = ['new-session', '-P', '-F', '#{pane_id}', '-x', '160', '-y', '50', line]
    this.#client = spawn('tmux', ['-L', socket, '-f', '/dev/null', '-C', ...session], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#closed = once(this.#client, 'close')
    this.#closed.then(
      () => this.#fail(new Error('tmux has ended')),
      (error) => this.#fail(error),
    )
    this.#client.stdin.on('error', () => {})
    createInterface(this.#client.stdout).on('line', (text) => this.#read(text))
    this.pane = this.#expect().then((id) => id.trim())
  }

  /** Runs a command; resolves with what it printed. */
  run(...words: readonly string[]): Promise<string> {
    const answer = this.#expect()
    this.#client.stdin.write(`${words.map(quoted).join(' ')}\n`)
    return answer
  }

  /** Resolves soon after a pane printed, at the latest after a moment. */
  whenPrinted(): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake)
        clearTimeout(timer)
        setTimeout(resolve, togetherMs)
      }
      const timer = setTimeout(wake, lookAgainMs)
      this.#waiting.add(wake)
    })
  }

  /** Ends it with all that runs in it. */
  async end(): Promise<void> {
    this.#client.stdin.write('kill-server\n')
    await this.#closed
  }

  #expect(): Promise<string> {
    if (this.#client.exitCode !== null) return Promise.reject(new Error('tmux has ended'))
    return new Promise((resolve, reject) => this.#pending.push({ resolve, reject }))
  }

  #fail(error: Error): void {
    for (const { reject } of this.#pending.splice(0)) reject(error)
  }

  /** Reads a line: one of an answer, or a notice between two answers. */
  #read(line: string): void {
    if (this.#answer === undefined) {
      if (line.startsWith('%begin ')) this.#answer = { end: line.slice('%begin'.length), text: '' }
      else if (line.startsWith('%output ')) for (const wake of this.#waiting) wake()
      return
    }
    const { end, text } = this.#answer
    if (line !== `%end${end}` && line !== `%error${end}`) {
      this.#answer.text += `${line}\n`
      return
    }
    this.#answer = undefined
    const pending = this.#pending.shift()
    if (line.startsWith('%end')) pending?.resolve(text)
    else pending?.reject(new Error(`tmux refused: ${text}`))
  }
}

/** A word as a shell reads it, and as tmux does. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
