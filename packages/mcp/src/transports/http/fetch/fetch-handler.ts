import { GrowingBuffer } from '@trunkline/base/growing-buffer'
import type { Sender } from '../../../rpc/channel.ts'
import { ParseError, RpcError } from '../../../wire/errors.ts'
import type { SlowReaders } from '../../backpressure.ts'
import type { Headers as HeaderRecord } from '../headers.ts'
import type { BodyLimits } from '../server/body-limits.ts'
import type { Endpoint } from '../server/endpoint.ts'
import type { KeepAlive } from '../server/keep-alive.ts'
import { alreadyRead } from '../server/read-posted.ts'
import { unsupportedEncoding } from '../server/refusals.ts'
import type { EventSink, HttpReply, HttpRequest, RequestContext } from '../server/request-reply.ts'
import { FetchSink } from './fetch-sink.ts'

/** A fetch handler. */
export interface FetchHandler {
  (request: Request): Promise<Response>
  /** Answers a request with context from a framework, such as an authenticated caller. */
  handle(request: Request, known: RequestContext): Promise<Response>
  /** Refuses new requests, waits `drainMs` for those in flight, then ends all sessions and streams. */
  close(): Promise<void>
}

/** Adapts an endpoint to `Request` and `Response`. */
export function fetchHandler(endpoint: Endpoint, keepAlive: KeepAlive): FetchHandler {
  const handle = (request: Request, known: RequestContext): Promise<Response> =>
    new Promise((resolve) => {
      endpoint.handle(
        new FetchRequest(request, known),
        new FetchReply(request, resolve, { readers: endpoint.readers, keepAlive }),
      )
    })
  // runtimes pass further arguments, which are ignored
  const handler = (request: Request): Promise<Response> => handle(request, {})
  return Object.assign(handler, { handle, close: () => endpoint.close() })
}

class FetchRequest implements HttpRequest {
  readonly #request: Request
  readonly sender: Sender
  readonly parsed: unknown

  constructor(request: Request, { principal, parsed }: RequestContext) {
    this.#request = request
    this.sender = { headers: request.headers, ...(principal !== undefined && { principal }) }
    this.parsed = parsed
  }

  get method(): string {
    return this.#request.method
  }

  get path(): string {
    return new URL(this.#request.url).pathname
  }

  query(name: string): string | undefined {
    return new URL(this.#request.url).searchParams.get(name) ?? undefined
  }

  // a request that was created in this process has a URL but no Host header
  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? (name === 'host' ? new URL(this.#request.url).host : undefined)
  }

  text(bodies: BodyLimits, done: (text: string | Error) => void): void {
    this.#read(bodies).then(done, done)
  }

  async #read(bodies: BodyLimits): Promise<string> {
    const encoding = this.header('content-encoding')
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      throw unsupportedEncoding(encoding)
    }
    if (Number(this.header('content-length')) > bodies.maxBytes) throw bodies.tooLarge()
    if (this.#request.bodyUsed) throw alreadyRead()
    const { body } = this.#request
    return body ? decode(await collect(body.getReader(), bodies)) : ''
  }
}

async function collect(reader: ReadableStreamDefaultReader<Uint8Array>, bodies: BodyLimits): Promise<Uint8Array> {
  const arrived = new GrowingBuffer(bodies.maxBytes)
  let held = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return arrived.take()
      const growth = arrived.growth(value.length)
      const refusal = arrived.length + value.length > bodies.maxBytes ? bodies.tooLarge() : bodies.hold(growth)
      if (refusal) throw refusal
      held += growth
      arrived.adopt(value)
    }
  } finally {
    bodies.release(held)
    // the rest of the body is discarded
    reader.cancel().catch(() => {})
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new RpcError(ParseError, 'Cannot read message: the body is not UTF-8', { reason: 'encoding' })
  }
}

/** State that the replies of one handler share. */
interface Shared {
  readonly readers: SlowReaders
  readonly keepAlive: KeepAlive
}

class FetchReply implements HttpReply {
  readonly #request: Request
  readonly #respond: (response: Response) => void
  readonly #shared: Shared
  readonly #gone: (() => void)[] = []
  #left: (() => void) | undefined

  constructor(request: Request, respond: (response: Response) => void, shared: Shared) {
    this.#request = request
    this.#respond = respond
    this.#shared = shared
  }

  // the runtime does not report when the response was sent
  whole(status: number, headers: HeaderRecord, body?: string): void {
    this.#complete()
    this.#respond(new Response(body ?? null, { status, headers }))
    this.#left?.()
  }

  stream(headers: HeaderRecord): EventSink {
    const { readers, keepAlive } = this.#shared
    const sink = new FetchSink(readers, this.#leave, () => {
      this.#complete()
      letDie()
      this.#left?.()
    })
    const letDie = keepAlive.addStream(sink)
    this.#respond(new Response(sink.readable, { status: 200, headers }))
    return sink
  }

  onGone(listener: () => void): void {
    // for example while the body was read
    if (this.#request.signal.aborted) return listener()
    if (this.#gone.length === 0) this.#request.signal.addEventListener('abort', this.#leave)
    this.#gone.push(listener)
  }

  onLeft(listener: () => void): void {
    this.#left = listener
  }

  // some runtimes abort the signal of answered requests too
  #complete(): void {
    if (this.#gone.length > 0) this.#request.signal.removeEventListener('abort', this.#leave)
    this.#gone.length = 0
  }

  readonly #leave = (): void => {
    for (const listener of this.#gone.splice(0)) listener()
  }
}
