import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Output, SlowReaders } from '../../backpressure.ts'
import { type Headers, jsonHeaders } from '../headers.ts'
import type { KeepAlive } from '../server/keep-alive.ts'
import type { EventSink, HttpReply } from '../server/request-reply.ts'
import { afterServing } from './event-loop-turn.ts'

/** Milliseconds in which somebody who is refused while still sending may take note of it. */
const lingerMs = 1_000

/** An answer through `node:http`. */
export class NodeReply implements HttpReply {
  readonly #response: ServerResponse
  readonly #readers: SlowReaders
  readonly #keepAlive: KeepAlive
  #left: (() => void) | undefined

  constructor(response: ServerResponse, readers: SlowReaders, keepAlive: KeepAlive) {
    this.#response = response
    this.#readers = readers
    this.#keepAlive = keepAlive
  }

  whole(status: number, headers: Headers, body = ''): void {
    const response = this.#response
    if (!isArriving(response.req)) return afterServing(() => this.#answer({ status, headers, body }))
    interrupt(response, { status, headers, body })
    this.#left?.()
  }

  stream(headers: Headers): EventSink {
    const response = this.#response
    response.writeHead(200, headers as { [name: string]: string })
    response.flushHeaders()
    const sink: NodeSink = new NodeSink(response, this.#readers, () => letDie())
    const letDie = this.#keepAlive.addStream(sink)
    response.once('close', () => {
      letDie()
      this.#readers.forget(sink.output)
      this.#left?.()
    })
    return sink
  }

  onLeft(listener: () => void): void {
    if (this.#response.destroyed) listener()
    else this.#left = listener
  }

  onGone(listener: () => void): void {
    const response = this.#response
    // while it was found out who is calling, say
    if (response.destroyed) return listener()
    response.on('close', () => {
      if (!response.writableFinished) listener()
    })
  }

  #answer(whole: Whole): void {
    const response = this.#response
    if (!isOver(response)) end(response, whole)
    // most answers have left for the network by now
    if (response.destroyed || !(response.writableLength > 0)) return this.#left?.()
    const output = new NodeOutput(response)
    this.#readers.wrote(output, response.writableLength)
    response.once('close', () => {
      this.#readers.forget(output)
      this.#left?.()
    })
  }
}

/** Whether a body is still on its way. */
function isArriving({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0)
}

/** Whether it was answered already, or nobody is there to be answered. */
function isOver({ headersSent, destroyed }: ServerResponse): boolean {
  return headersSent || destroyed
}

interface Whole {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

function end(response: ServerResponse, { status, headers, body }: Whole): void {
  const length = Buffer.byteLength(body)
  // the usual answer has one shape, written out here because merging objects is slower
  if (headers === jsonHeaders)
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': length })
  else response.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': length })
  // of plain ASCII both encodings are the same bytes, and one of them is merely copied
  response.end(body, length === body.length ? 'latin1' : 'utf8')
}

/** Answers somebody who is still sending, and ends the connection only when they had time to see the answer. */
function interrupt(response: ServerResponse, { status, headers, body }: Whole): void {
  if (isOver(response)) return
  const { req } = response
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' })
  response.write(body)
  const end = (): unknown => response.end()
  const timer = setTimeout(end, lingerMs)
  response.once('close', () => clearTimeout(timer))
  req.once('end', end).resume()
}

/** What is written to one connection. */
class NodeOutput implements Output {
  readonly #response: ServerResponse

  constructor(response: ServerResponse) {
    this.#response = response
  }

  get unreadBytes(): number {
    const { destroyed, writableLength } = this.#response
    return destroyed ? 0 : writableLength
  }

  destroy(): void {
    this.#response.destroy()
  }
}

class NodeSink implements EventSink {
  readonly output: Output
  readonly #response: ServerResponse
  readonly #readers: SlowReaders
  readonly #ended: () => void
  #drained: Promise<void> | undefined

  constructor(response: ServerResponse, readers: SlowReaders, ended: () => void) {
    this.output = new NodeOutput(response)
    this.#response = response
    this.#readers = readers
    this.#ended = ended
  }

  write(text: string): Promise<void> | undefined {
    const response = this.#response
    if (response.destroyed) return undefined
    const before = response.writableLength
    const hasRoom = response.write(text)
    this.#readers.wrote(this.output, response.writableLength - before)
    return hasRoom ? undefined : this.#whenDrained()
  }

  get full(): Promise<void> | undefined {
    return this.#readers.isFull(this.output) ? this.#whenDrained() : undefined
  }

  end(): void {
    this.#ended()
    this.#response.end()
  }

  // one for all who wait, however many they are
  #whenDrained(): Promise<void> {
    const response = this.#response
    this.#drained ??= new Promise((resolve) => {
      const done = (): void => {
        this.#drained = undefined
        response.off('drain', done)
        response.off('close', done)
        resolve()
      }
      response.on('drain', done)
      response.on('close', done)
    })
    return this.#drained
  }
}
