import type { ClientHost } from '../../../client/extension.ts'
import { fromBase64 } from '../../../wire/base64.ts'
import { McpError } from '../../../wire/errors.ts'
import { kindOf } from '../../../wire/kind-of.ts'
import { type Fields, isObject } from '../../../wire/messages.ts'
import type { Spilled, SpilledMatches } from '../spilled.ts'
import { resultTermsOf } from '../terms.ts'

/** The bytes that are asked for at once. */
const chunkBytes = 524_288

/** A result that was too large to answer with: all of it, piece by piece. */
export class SpilledResult implements AsyncIterable<Uint8Array>, Spilled {
  readonly uri: string
  readonly bytes: number
  readonly mimeType: string
  readonly expiresAt: string
  readonly #host: ClientHost

  /** @internal */
  constructor(host: ClientHost, { uri, bytes, mimeType, expiresAt }: Spilled) {
    this.#host = host
    this.uri = uri
    this.bytes = bytes
    this.mimeType = mimeType
    this.expiresAt = expiresAt
  }

  /** The bytes from one place up to another one, which is not among them; the server may give fewer at once. */
  async read(from: number, to: number): Promise<Uint8Array> {
    const { blob } = await this.#read(`bytes=${from}-${to - 1}`)
    return fromBase64(String(blob ?? ''))
  }

  /** Lines, from the first to the last, counted from one. */
  async lines(first: number, last: number): Promise<string> {
    return String((await this.#read(`lines=${first}-${last}`)).text ?? '')
  }

  /** Finds the places of a text, from a byte on. */
  async search(text: string, after = 0): Promise<SpilledMatches> {
    const query = `search=${encodeURIComponent(text)}${after > 0 ? `&after=${after}` : ''}`
    return JSON.parse(String((await this.#read(query)).text)) as SpilledMatches
  }

  /** All of it, in order. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < this.bytes; ) {
      const piece = await this.read(at, Math.min(at + chunkBytes, this.bytes))
      if (piece.length === 0)
        throw new McpError('InvalidResponse', `Cannot read "${this.uri}": it ends at byte ${at} of ${this.bytes}`)
      yield piece
      at += piece.length
    }
  }

  async #read(query: string): Promise<Fields> {
    const { contents } = await this.#host.request('resources/read', { uri: `${this.uri}?${query}` })
    return (contents as readonly Fields[])[0] ?? {}
  }
}

/** All of a result that was too large to answer with; undefined where it was not. */
export function spilledResult(host: ClientHost, result: object): SpilledResult | undefined {
  if (!isObject(result))
    throw new McpError('Misuse', `Cannot read a result: give what a call returned, not ${kindOf(result)}`)
  const spilled = resultTermsOf(result as Fields)?.spilled
  return spilled && new SpilledResult(host, spilled)
}
