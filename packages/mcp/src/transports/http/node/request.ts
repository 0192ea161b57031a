import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Sender } from '../../../rpc/channel.ts'
import type { BodyLimits } from '../server/body-limits.ts'
import { alreadyRead } from '../server/read-posted.ts'
import { unsupportedEncoding } from '../server/refusals.ts'
import type { HttpRequest, RequestContext } from '../server/request-reply.ts'
import { ArrivingBody, decode, readRequestBody } from './request-body.ts'

/** A request of `node:http`, without conversion to web-standard objects. */
export class NodeRequest implements HttpRequest, Sender {
  readonly #message: IncomingMessage
  readonly #headers: NodeJS.Dict<string | string[]>
  readonly #response: ServerResponse | undefined
  readonly #parsed: unknown
  #arriving: ArrivingBody | undefined
  readonly principal?: string

  constructor(message: IncomingMessage, response?: ServerResponse, { principal, parsed }: RequestContext = {}) {
    this.#message = message
    this.#response = response
    this.#parsed = parsed
    if (principal !== undefined) this.principal = principal
    const { headers, rawHeaders } = message
    // Node silently keeps only the first of some duplicate headers
    this.#headers = Object.keys(headers).length * 2 < rawHeaders.length ? message.headersDistinct : headers
  }

  get method(): string {
    return this.#message.method ?? ''
  }

  get path(): string {
    const { url = '/' } = this.#message
    const query = url.indexOf('?')
    return query < 0 ? url : url.slice(0, query)
  }

  query(name: string): string | undefined {
    const { url = '/' } = this.#message
    const start = url.indexOf('?')
    return start < 0 ? undefined : (new URLSearchParams(url.slice(start)).get(name) ?? undefined)
  }

  /** The request is its own sender, which saves an object. */
  get sender(): Sender {
    return this
  }

  get headers(): this {
    return this
  }

  get(name: string): string | null {
    return this.header(name.toLowerCase()) ?? null
  }

  header(name: string): string | undefined {
    const value = this.#headers[name]
    return typeof value === 'string' ? value : value?.join(', ')
  }

  get parsed(): unknown {
    const { body } = this.#message as MaybeRead
    return this.#parsed ?? (isUnparsed(body) ? undefined : body)
  }

  text(bodies: BodyLimits, done: (text: string | Error) => void): void {
    const encoding = this.header('content-encoding')
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      done(unsupportedEncoding(encoding))
    } else if (Number(this.header('content-length')) > bodies.maxBytes) done(bodies.tooLarge())
    else if (this.#arriving) this.#arriving.read(done)
    else if (this.#message.readableDidRead) done(this.#leftBehind(bodies))
    else readRequestBody(this.#message, bodies, done)
  }

  bufferBody(bodies: BodyLimits): void {
    const { complete, readableDidRead } = this.#message
    if (complete || readableDidRead || this.parsed !== undefined) return
    const arriving = new ArrivingBody(this.#message, bodies)
    this.#arriving = arriving
    this.#response?.once('close', () => arriving.drop())
  }

  /** The body that a framework has read. */
  #leftBehind(bodies: BodyLimits): string | Error {
    const { body } = this.#message as MaybeRead
    if (!isUnparsed(body)) return alreadyRead()
    const bytes = Buffer.from(body as string)
    return bytes.length > bodies.maxBytes ? bodies.tooLarge() : decode(bytes)
  }
}

/** A request whose body a framework may have read. */
interface MaybeRead {
  readonly body?: unknown
}

/** True if a body was read but not parsed. */
function isUnparsed(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array
}
