/** HTTP by hand: bytes go into a socket as they are, and the answer comes back as it came. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { soon } from '../soon.ts'
import type { Letter } from './messages.ts'

export interface RawAnswer {
  readonly status: number
  /** By lower-case name; the last one counts. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Sends bytes over a connection of their own; nothing comes back when the connection ends without an answer. */
export async function sendRaw(port: number, bytes: string | Uint8Array): Promise<RawAnswer | undefined> {
  using connection = await RawConnection.to(port)
  connection.write(bytes)
  return await connection.answer()
}

/** A request as text, with a length that is right unless another one is given. */
export function rawRequest(method: string, path: string, headers: readonly string[], body = ''): string {
  const length = /^(?:content-length|transfer-encoding):/im.test(headers.join('\n'))
    ? []
    : [`Content-Length: ${Buffer.byteLength(body)}`]
  return [`${method} ${path} HTTP/1.1`, ...headers, ...length, '', body].join('\r\n')
}

/** A letter to post, as text. */
export function rawLetter({ headers, body }: Letter, path = '/mcp'): string {
  return rawRequest('POST', path, ['Host: localhost', ...Object.entries(headers).map((line) => line.join(': '))], body)
}

/** A connection under the control of a test. */
export class RawConnection implements Disposable {
  readonly socket: Socket
  /** Resolves when the connection is over, with what broke it; see `closing`. */
  readonly whenClosed: Promise<string | undefined>
  // joined when they are looked at: megabytes of them may arrive that no test looks at
  #chunks: Buffer[] = []

  private constructor(socket: Socket) {
    this.socket = socket
    let code: string | undefined
    socket.on('data', (chunk) => {
      this.#chunks.push(chunk)
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      code = error.code
    })
    this.whenClosed = new Promise((resolve) => socket.once('close', () => resolve(code)))
  }

  static async to(port: number): Promise<RawConnection> {
    const socket = connect(port, '127.0.0.1')
    const connection = new RawConnection(socket)
    await Promise.race([once(socket, 'connect'), connection.whenClosed])
    return connection
  }

  /** All that arrived and was not taken as part of an answer yet. */
  get received(): string {
    return this.#joined().toString('latin1')
  }

  write(bytes: string | Uint8Array): void {
    this.socket.write(bytes)
  }

  /** Resolves when what arrived matches, or rejects when the connection is over before. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.received)) {
      if (!(await this.#more())) throw new Error(`The connection ended after ${JSON.stringify(this.received)}`)
    }
    return this.received
  }

  /** The next whole answer; of a stream of events only the head. */
  async answer(): Promise<RawAnswer | undefined> {
    for (;;) {
      const received = this.#joined()
      const found = readAnswer(received, this.socket.closed)
      if (found) {
        this.#chunks = [received.subarray(found.length)]
        return found.answer
      }
      if (!(await this.#more())) return readAnswer(this.#joined(), true)?.answer
    }
  }

  /** The same, and rejects when it is not closed. */
  closing(): Promise<string | undefined> {
    return soon(this.whenClosed, 'a raw connection to be closed')
  }

  [Symbol.dispose](): void {
    this.socket.destroy()
  }

  #joined(): Buffer {
    const joined = Buffer.concat(this.#chunks)
    this.#chunks = [joined]
    return joined
  }

  async #more(): Promise<boolean> {
    if (this.socket.closed) return false
    const data = once(this.socket, 'data').then(
      () => true,
      () => false,
    )
    return soon(Promise.race([data, this.whenClosed.then(() => false)]), 'bytes on a raw connection')
  }
}

function readAnswer(bytes: Buffer, isOver: boolean): { answer: RawAnswer; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [start = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(start.split(' ')[1])
  const rest = bytes.subarray(end + 4)
  if (status === 100) {
    const next = readAnswer(rest, isOver)
    return next && { ...next, length: next.length + end + 4 }
  }
  const headers = new Map(lines.map((line) => [nameOf(line), line.slice(line.indexOf(':') + 1).trim()]))
  const length = status === 101 ? 0 : bodyLength(headers, rest, isOver)
  if (length === undefined) return undefined
  const body = rest.subarray(0, length).toString()
  return { answer: { status, headers, body }, length: end + 4 + length }
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf(':')).toLowerCase()
}

function bodyLength(headers: ReadonlyMap<string, string>, rest: Buffer, isOver: boolean): number | undefined {
  if (headers.get('content-type') === 'text/event-stream') return 0
  const declared = headers.get('content-length')
  // the answer to a HEAD tells a length without having it
  if (declared !== undefined) return isOver || rest.length >= Number(declared) ? Number(declared) : undefined
  if (headers.get('transfer-encoding') !== 'chunked') return isOver ? rest.length : undefined
  const end = rest.indexOf('0\r\n\r\n')
  return end < 0 ? undefined : end + 5
}
