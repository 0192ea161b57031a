import { type ClientRequest, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { initialize, initialized, type Message } from '../wire/messages.ts'
import type { Shape } from '../wire/shapes.ts'
import { Latencies } from './latencies.ts'
import { type LoadOutcome, WrongAnswer } from './load.ts'

const stallMs = 15_000
const maxTries = 60
const betweenTriesMs = 250

/** Load on a server that answers on a stream of its own, as the oldest transport has it. */
export interface SseLoad {
  readonly port: number
  readonly shape: Shape
  readonly message: (id: number) => Message
  readonly expected: string
  readonly connections: number
  readonly durationMs: number
}

/** Conversations over the oldest transport, one call in flight in each. */
export class SseClients {
  readonly #load: SseLoad
  readonly #clients: readonly SseClient[]

  private constructor(load: SseLoad, clients: readonly SseClient[]) {
    this.#load = load
    this.#clients = clients
  }

  static async open(load: SseLoad): Promise<SseClients> {
    for (let tries = 1; !(await isReady(load)); tries += 1) {
      if (tries === maxTries) throw new Error(`Cannot begin: no good answer in ${maxTries} tries`)
      await wait(betweenTriesMs)
    }
    const clients = await Promise.all(Array.from({ length: load.connections }, () => SseClient.open(load)))
    return new SseClients(load, clients)
  }

  async run(): Promise<LoadOutcome> {
    const { message, expected, durationMs } = this.#load
    const latencies = new Latencies()
    const start = performance.now()
    await Promise.all(
      this.#clients.map(async (client) => {
        for (let sentAt = performance.now(); sentAt < start + durationMs; sentAt = performance.now()) {
          const answer = await client.call(message)
          if (!answer.includes(expected)) throw new WrongAnswer(answer, [expected])
          latencies.add(performance.now() - sentAt)
        }
      }),
    )
    return { calls: latencies.count, seconds: (performance.now() - start) / 1000, ...latencies.summary() }
  }

  close(): void {
    for (const client of this.#clients) client.close()
  }
}

/** Some listen before they can answer. */
async function isReady(load: SseLoad): Promise<boolean> {
  try {
    const client = await SseClient.open(load)
    const answer = await client.call(load.message)
    client.close()
    return answer.includes(load.expected)
  } catch {
    return false
  }
}

class SseClient {
  readonly #port: number
  readonly #stream: ClientRequest
  #path = ''
  #text = ''
  #ids = 0
  #heard: (data: string) => void = () => {}
  #failed: (cause: Error) => void = () => {}

  private constructor(port: number) {
    this.#port = port
    this.#stream = request({ port, host: '127.0.0.1', path: '/mcp', headers: { accept: 'text/event-stream' } })
  }

  static async open({ port, shape }: SseLoad): Promise<SseClient> {
    const client = new SseClient(port)
    client.#path = await client.#opened()
    await client.#ask(initialize(shape))
    client.#post(initialized)
    return client
  }

  call(message: (id: number) => Message): Promise<string> {
    this.#ids += 1
    return this.#ask(message(this.#ids))
  }

  close(): void {
    this.#stream.destroy()
  }

  #ask(message: Message): Promise<string> {
    const answer = this.#next()
    this.#post(message)
    return answer
  }

  #next(): Promise<string> {
    return new Promise((resolve, reject) => {
      const late = new Error(`Cannot go on: no answer within ${stallMs} ms`)
      const timer = setTimeout(() => reject(late), stallMs)
      this.#failed = (cause) => {
        clearTimeout(timer)
        reject(cause)
      }
      this.#heard = (data) => {
        clearTimeout(timer)
        resolve(data)
      }
    })
  }

  #opened(): Promise<string> {
    const endpoint = this.#next()
    this.#stream.once('response', (response) => {
      if (response.statusCode !== 200) this.#failed(new Error(`Cannot open a stream: ${response.statusCode}`))
      response.setEncoding('utf8').on('data', (piece: string) => this.#take(piece))
    })
    this.#stream.on('error', (cause) => this.#failed(cause))
    this.#stream.end()
    return endpoint
  }

  #take(piece: string): void {
    const events = (this.#text + piece).split('\n\n')
    this.#text = events.pop() ?? ''
    for (const event of events) {
      const data = event.split('\n').find((line) => line.startsWith('data: '))
      // notifications and requests are no answers
      if (data !== undefined && !data.includes('"method":')) this.#heard(data.slice('data: '.length))
    }
  }

  #post(message: Message): void {
    const body = JSON.stringify(message)
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    request({ port: this.#port, host: '127.0.0.1', method: 'POST', path: this.#path, headers }, (answer) =>
      answer.resume(),
    )
      .on('error', () => {})
      .end(body)
  }
}
