import { NotThereYet, type Running } from '../process/program.ts'
import { echoCall, initialize, initialized, type Message } from '../wire/messages.ts'
import type { Shape } from '../wire/shapes.ts'
import { Latencies } from './latencies.ts'
import { Lines } from './lines.ts'
import { type LoadOutcome, WrongAnswer } from './load.ts'

/** Load on a server over stdio. */
export interface StdioLoad {
  readonly inFlight: number
  readonly durationMs: number
  /** The text that every call sends and every answer must bring back. */
  readonly text: string
}

const patienceMs = 20_000
const idMark = '"id":'

/** One client on a server's pipes: our own generator, every answer matched to its call and checked. */
export class StdioClient {
  readonly #server: Running
  readonly #shape: Shape
  readonly #lines = new Lines()
  #nextId = 1
  #receive: (lines: string[]) => void = () => {}

  constructor(server: Running, shape: Shape) {
    this.#server = server
    this.#shape = shape
    // a server that is gone shows by its exit
    server.child.stdin?.on('error', () => {})
    server.child.stdout?.on('data', (chunk: Buffer) => this.#receive(this.#lines.take(chunk)))
  }

  /** Shakes hands where the shape has a handshake, then makes one call. */
  async greet(): Promise<void> {
    if (this.#shape.handshake) {
      await this.#ask(initialize(this.#shape), '"result"')
      this.#write(line(initialized))
    }
    await this.#ask(echoCall(this.#shape, this.#takeId(), 'hello'), '"hello"')
  }

  /** Calls as often as possible for a while, so many at once. */
  run(load: StdioLoad): Promise<LoadOutcome> {
    const [before = '', after = ''] = line(echoCall(this.#shape, 0, load.text)).split(`${idMark}0`)
    const pending = new Map<number, number>()
    const latencies = new Latencies()
    const start = performance.now()

    const ask = (): string => {
      const id = this.#takeId()
      pending.set(id, performance.now())
      return before + idMark + id + after
    }

    return this.#until(
      (lines, finish) => {
        const now = performance.now()
        let calls = ''
        for (const answer of lines) {
          const id = idOf(answer)
          const askedAt = pending.get(id)
          if (askedAt === undefined || !answer.includes(load.text)) throw new WrongAnswer(answer, [load.text])
          pending.delete(id)
          latencies.add(now - askedAt)
          if (now - start < load.durationMs) calls += ask()
        }
        if (calls !== '') this.#write(calls)
        if (pending.size === 0)
          finish({ calls: latencies.count, seconds: (now - start) / 1000, ...latencies.summary() })
      },
      Array.from({ length: load.inFlight }, ask).join(''),
    )
  }

  async #ask(message: Message, expected: string): Promise<void> {
    await this.#until<void>((lines, finish) => {
      for (const answer of lines) {
        if (idOf(answer) !== message.id) continue
        if (!answer.includes(expected)) throw new WrongAnswer(answer, [expected])
        finish()
      }
    }, line(message))
  }

  /** Writes, then hands the lines that arrive to `receive` until it calls `finish`. */
  #until<Outcome>(
    receive: (lines: string[], finish: (outcome: Outcome) => void) => void,
    text: string,
  ): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    this.#receive = (lines) => {
      try {
        receive(lines, resolve)
      } catch (cause) {
        reject(cause)
      }
    }
    void this.#server.exited.then(() => reject(new NotThereYet(this.#server.lastWords())))
    const patience = setTimeout(() => reject(new NotThereYet(`no answer within ${patienceMs} ms`)), patienceMs)
    this.#write(text)
    return promise.finally(() => clearTimeout(patience))
  }

  #write(text: string): void {
    this.#server.child.stdin?.write(text)
  }

  #takeId(): number {
    this.#nextId += 1
    return this.#nextId
  }
}

function line(message: Message): string {
  return `${JSON.stringify(message)}\n`
}

function idOf(answer: string): number {
  const early = answer.slice(0, 40).indexOf(idMark)
  const at = early < 0 ? answer.lastIndexOf(idMark) : early
  return Number.parseInt(answer.slice(at + idMark.length, at + idMark.length + 16), 10)
}
