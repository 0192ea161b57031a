import { GrowingBuffer } from '@trunkline/base/growing-buffer'

/** Headers of one message have fewer bytes than this. */
const maxHeaderBytes = 4_096
/** Bytes at either end of a dropped message in which the id of its request is looked for. */
const endBytes = 512

/** Output of a program that is no message of the Language Server Protocol. */
export class FramingError extends Error {
  override readonly name = 'FramingError'
}

/** A message, or one that was dropped because of its size, with the request that it answers if that is known. */
export type Framed = { readonly message: unknown } | { readonly droppedBytes: number; readonly id?: number }

/** A message as bytes, behind its header. */
export function frame(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message))
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body])
}

/** Splits the output of a language server into messages; of one that is too large only the ends are kept. */
export class MessageFramer {
  readonly #maxBytes: number
  readonly #header = new GrowingBuffer(maxHeaderBytes)
  #body: Body | undefined

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The messages that are whole after these bytes; throws a {@link FramingError} where no message begins. */
  push(chunk: Uint8Array): Framed[] {
    const framed: Framed[] = []
    for (let rest = chunk; rest.length > 0; ) {
      if (this.#body === undefined) rest = this.#takeHeader(rest)
      if (this.#body === undefined) break
      const taken = rest.subarray(0, this.#body.missing)
      rest = rest.subarray(taken.length)
      this.#body.add(taken)
      if (this.#body.missing > 0) break
      framed.push(this.#body.framed())
      this.#body = undefined
    }
    return framed
  }

  /** Begins a body once the header before it is whole; returns the bytes behind the header. */
  #takeHeader(bytes: Uint8Array): Uint8Array {
    const before = this.#header.length
    this.#header.add(bytes.subarray(0, maxHeaderBytes - before))
    const seen = Buffer.from(this.#header.peek())
    const end = seen.indexOf('\r\n\r\n')
    if (!mayBeHeader(seen) || (end < 0 && seen.length >= maxHeaderBytes))
      throw new FramingError(`no message begins with ${JSON.stringify(seen.toString('latin1').slice(0, 80))}`)
    if (end < 0) return bytes
    const [, length] = /^content-length: *(\d{1,15})\r?$/im.exec(seen.toString('latin1', 0, end + 1)) ?? []
    if (length === undefined) throw new FramingError('a header has no Content-Length')
    this.#header.clear()
    this.#body = Number(length) > this.#maxBytes ? new DroppedBody(Number(length)) : new KeptBody(Number(length))
    return bytes.subarray(end + 4 - before)
  }
}

function mayBeHeader(seen: Buffer): boolean {
  return /^content-(?:l|t|$)|^c[a-z-]{0,7}$/i.test(seen.toString('latin1', 0, 9))
}

interface Body {
  readonly missing: number
  add(bytes: Uint8Array): void
  framed(): Framed
}

class KeptBody implements Body {
  readonly #length: number
  readonly #bytes: GrowingBuffer

  constructor(length: number) {
    this.#length = length
    this.#bytes = new GrowingBuffer(length)
  }

  get missing(): number {
    return this.#length - this.#bytes.length
  }

  add(bytes: Uint8Array): void {
    this.#bytes.add(bytes)
  }

  framed(): Framed {
    try {
      return { message: JSON.parse(this.#bytes.takeText()) }
    } catch {
      throw new FramingError('a message is no JSON')
    }
  }
}

class DroppedBody implements Body {
  readonly #length: number
  #seen = 0
  #head = ''
  #tail = ''

  constructor(length: number) {
    this.#length = length
  }

  get missing(): number {
    return this.#length - this.#seen
  }

  add(bytes: Uint8Array): void {
    const text = (part: Uint8Array) => Buffer.from(part).toString('latin1')
    if (this.#head.length < endBytes) this.#head += text(bytes.subarray(0, endBytes - this.#head.length))
    this.#tail = (this.#tail + text(bytes.subarray(-endBytes))).slice(-endBytes)
    this.#seen += bytes.length
  }

  framed(): Framed {
    const ahead = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)\s*,\s*"(?:jsonrpc|result|error)"/
    const behind = /"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/
    const [, id] = ahead.exec(this.#head) ?? behind.exec(this.#tail) ?? []
    return { droppedBytes: this.#length, ...(id !== undefined && { id: Number(id) }) }
  }
}
