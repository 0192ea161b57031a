import { connect, type Socket } from 'node:net'
import { answerEnd, answers } from './http-answer.ts'
import { Latencies } from './latencies.ts'
import { type HttpLoad, type LoadOutcome, WrongAnswer } from './load.ts'

const emptyBuffer = Buffer.alloc(0)
const stallMs = 30_000

/** Our own generator: bare sockets, one request in flight on each, every answer checked. */
export async function loadHttp(load: HttpLoad): Promise<LoadOutcome> {
  const latencies = new Latencies()
  const start = performance.now()
  const requests = load.requests.map((text) => Buffer.from(text))
  const sockets = Array.from({ length: load.connections }, () => connect(load.port, '127.0.0.1').setNoDelay())
  try {
    const done = sockets.map((socket, index) =>
      drive(socket, { load, requests, latencies, index, end: start + load.durationMs }),
    )
    await Promise.all(done)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  return { calls: latencies.count, seconds: (performance.now() - start) / 1000, ...latencies.summary() }
}

interface Drive {
  readonly load: HttpLoad
  readonly requests: readonly Buffer[]
  readonly latencies: Latencies
  readonly index: number
  readonly end: number
}

function drive(socket: Socket, { load, requests, latencies, index, end }: Drive): Promise<void> {
  return new Promise((resolve, reject) => {
    let received: Buffer = emptyBuffer
    let sentAt = 0
    let turn = index

    function ask(): void {
      sentAt = performance.now()
      if (sentAt >= end) return resolve()
      socket.write(requests[turn % requests.length] ?? emptyBuffer)
      turn += load.connections
    }

    socket.setTimeout(stallMs, () => reject(new Error(`Cannot go on: no answer within ${stallMs} ms`)))
    socket.once('connect', ask)
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('Cannot go on: the server closed a connection under load')))
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const length = answerEnd(received)
      if (length === undefined) return
      const answer = received.subarray(0, length)
      if (!answers(answer, load.expected)) return reject(new WrongAnswer(answer.toString(), load.expected))
      latencies.add(performance.now() - sentAt)
      received = received.subarray(length)
      ask()
    })
  })
}
