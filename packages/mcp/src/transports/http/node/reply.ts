import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Output, SlowReaders } from '../../backpressure.ts'
import { type Headers, jsonHeaders } from '../headers.ts'
import type { KeepAlive } from '../server/keep-alive.ts'
import type { EventSink, HttpReply } from '../server/request-reply.ts'
import { afterServing } from './event-loop-turn.ts'

/** Milliseconds in which a client that is still sending can read its refusal. */
const lingerMs = 1_000

/** A reply over `node:http`. */
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
    // for example while the caller was authenticated
    if (response.destroyed) return listener()
    response.on('close', () => {
      if (!response.writableFinished) listener()
    })
  }

  #answer(whole: Whole): void {
    const response = this.#response
    if (!isOver(response)) end(response, whole)
    // most responses have been sent by now
    if (response.destroyed || !(response.writableLength > 0)) return this.#left?.()
    const output = new NodeOutput(response)
    this.#readers.wrote(output, response.writableLength)
    response.once('close', () => {
      this.#readers.forget(output)
      this.#left?.()
    })
  }
}

/** True while a body is still arriving. */
function isArriving({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0)
}

/** True if it was answered already, or its connection is closed. */
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
  // the usual headers are written out, because merging objects is slower
  if (headers === jsonHeaders)
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': length })
  else response.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': length })
  // for ASCII both encodings give the same bytes, and latin1 is faster
  response.end(body, length === body.length ? 'latin1' : 'utf8')
}

/** Answers a client that is still sending, and closes the connection after it had time to read. */
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

/** The output of one response. */
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

  // one promise for all waiters
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
