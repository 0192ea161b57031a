import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Headers } from '../headers.ts'
import { jsonHeaders } from '../headers.ts'
import type { KeepAlive } from '../server/keep-alive.ts'
import { type EventSink, type HttpReply, mostWaitingBytes } from '../server/request-reply.ts'
import { afterServing } from './event-loop-turn.ts'

/** Milliseconds in which somebody who is refused while still sending may take note of it. */
const lingerMs = 1_000

/** An answer through `node:http`. */
export class NodeReply implements HttpReply {
  readonly #response: ServerResponse
  readonly #keepAlive: KeepAlive

  constructor(response: ServerResponse, keepAlive: KeepAlive) {
    this.#response = response
    this.#keepAlive = keepAlive
  }

  whole(status: number, headers: Headers, body = ''): void {
    const response = this.#response
    if (isArriving(response.req)) interrupt(response, { status, headers, body })
    else afterServing(() => answer(response, { status, headers, body }))
  }

  stream(headers: Headers): EventSink {
    const response = this.#response
    response.writeHead(200, headers as { [name: string]: string })
    response.flushHeaders()
    const sink = new NodeSink(response, () => this.#keepAlive.remove(sink))
    this.#keepAlive.add(sink)
    response.once('close', () => this.#keepAlive.remove(sink))
    return sink
  }

  onGone(listener: () => void): void {
    const response = this.#response
    // while it was found out who is calling, say
    if (response.destroyed) return listener()
    response.on('close', () => {
      if (!response.writableFinished) listener()
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

function answer(response: ServerResponse, { status, headers, body }: Whole): void {
  if (isOver(response)) return
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

class NodeSink implements EventSink {
  readonly #response: ServerResponse
  readonly #ended: () => void
  #drained: Promise<void> | undefined

  constructor(response: ServerResponse, ended: () => void) {
    this.#response = response
    this.#ended = ended
  }

  write(text: string): Promise<void> | undefined {
    const response = this.#response
    return response.destroyed || response.write(text) ? undefined : this.#whenDrained()
  }

  get full(): Promise<void> | undefined {
    const { destroyed, writableLength } = this.#response
    return destroyed || writableLength <= mostWaitingBytes ? undefined : this.#whenDrained()
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
