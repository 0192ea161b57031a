import type { Channel, Receiver } from '../../../rpc/channel.ts'
import { McpError } from '../../../wire/errors.ts'
import type { Message } from '../../../wire/messages.ts'
import { resolveLimits } from '../../../wire/resolve-limits.ts'
import { writeMessage } from '../../../wire/write-message.ts'
import { checkedDelay, settlesWithin } from '../../timers.ts'
import { addressOf, type HeaderRecord } from './http-channel-options.ts'
import { type WebSocketLimits, webSocketLimits } from './http-client-limits.ts'
import { closedFailure, unreachable } from './http-failures.ts'
import { receiveMessages } from './receive-messages.ts'
import { WebSocketAuthorization, type WebSocketAuthorizationOptions } from './websocket-authorization.ts'
import { WebSocketBackpressure } from './websocket-backpressure.ts'

/** Options of a channel over a WebSocket; authorization needs a runtime that can send headers with it. */
export interface WebSocketChannelOptions extends WebSocketAuthorizationOptions {
  /** Limits of received and unsent messages. */
  readonly limits?: Partial<WebSocketLimits>
  /** Milliseconds for the closing handshake. @default 2_000 */
  readonly closeMs?: number
  /** The WebSocket class. @default globalThis.WebSocket, which Node has from version 22 on */
  readonly WebSocket?: typeof WebSocket
}

const defaults = { closeMs: 2_000 } as const satisfies WebSocketChannelOptions

/** A channel over a WebSocket, one message per frame. */
export function websocketChannel(url: string | URL, options: WebSocketChannelOptions = {}): Channel {
  return new WebSocketChannel(addressOf(url, ['ws:', 'wss:']), options)
}

class WebSocketChannel implements Channel {
  readonly #url: URL
  readonly #connect: (headers?: HeaderRecord) => WebSocket
  readonly #limits: WebSocketLimits
  readonly #closeMs: number
  readonly #entry: WebSocketAuthorization | undefined
  readonly #stop = new AbortController()
  readonly #room = new WebSocketBackpressure()
  readonly #gone: Promise<void>
  #announceGone!: () => void
  #socket: WebSocket | undefined
  #receiver: Receiver | undefined
  // messages before the connection was open
  #early: string[] = []
  #earlySize = 0
  /** Messages that arrived while reading was paused; undefined while it is not. */
  #held: string[] | undefined
  #heldSize = 0
  #wasOpen = false
  #wasRefused = false
  #isClosed = false

  constructor(url: URL, { WebSocket: Socket = globalThis.WebSocket, ...options }: WebSocketChannelOptions) {
    if (Socket === undefined) {
      throw new McpError(
        'Unsupported',
        'Cannot connect: this runtime has no WebSocket; pass a class as "http.WebSocket"',
      )
    }
    const { closeMs } = { ...defaults, ...options }
    this.#url = url
    this.#connect = (headers) => connected(Socket, url, headers)
    this.#limits = resolveLimits(webSocketLimits, options.limits)
    this.#closeMs = checkedDelay('closeMs', closeMs)
    this.#entry = options.authorizer || options.headers ? new WebSocketAuthorization(url, options) : undefined
    this.#gone = new Promise((resolve) => {
      this.#announceGone = resolve
    })
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
    if (this.#isClosed) return receiver.closed()
    if (this.#entry) this.#enter(this.#entry)
    else this.#use(this.#connect())
  }

  get isHeld(): boolean {
    return this.#entry?.isBusy ?? false
  }

  send(message: Message | readonly Message[]): Promise<void> | undefined {
    if (this.#isClosed) return Promise.reject(closedFailure())
    try {
      return this.#write(writeMessage(message))
    } catch (error) {
      // a WebSocket cannot be paused, and a server that waits for an answer must not wait in vain
      if (isResponse(message)) this.#shut(unanswered(error))
      return Promise.reject(error)
    }
  }

  /** A WebSocket of a runtime cannot stop reading, so what arrives is kept up to the size of one message. */
  pause(): () => void {
    this.#held ??= []
    const socket = this.#socket as PausableSocket | undefined
    socket?.pause?.()
    return () => this.#resume(socket)
  }

  #resume(socket: PausableSocket | undefined): void {
    const held = this.#held ?? []
    this.#held = undefined
    this.#heldSize = 0
    for (const text of held) this.#take(text)
    // one of them may have paused it again
    if (this.#held === undefined) socket?.resume?.()
  }

  async close(): Promise<void> {
    this.#shut(undefined)
    if (this.#socket && this.#socket.readyState !== this.#socket.CLOSED) await settlesWithin(this.#gone, this.#closeMs)
  }

  /** Connects, and once more after getting authorization. */
  #enter(entry: WebSocketAuthorization): void {
    const { signal } = this.#stop
    const ready = this.#wasRefused ? entry.ask(signal) : Promise.resolve()
    ready
      .then(() => entry.headers(signal))
      .then((headers) => {
        if (!this.#isClosed) this.#use(this.#connect(headers))
      })
      .catch((error: unknown) => this.#shut(error as Error))
  }

  #use(socket: WebSocket): void {
    this.#socket = socket
    socket.onopen = () => this.#opened(socket)
    socket.onmessage = ({ data }) => this.#take(data)
    // "close" follows; the sockets of "ws" throw an error that has no listener
    socket.onerror = () => {}
    socket.onclose = ({ code, reason }) => {
      if (this.#entry && !this.#wasOpen && !this.#wasRefused && !this.#isClosed) {
        this.#wasRefused = true
        return this.#enter(this.#entry)
      }
      this.#announceGone()
      this.#shut(this.#wasOpen ? reasonOf(code, reason) : unreachable(this.#url))
    }
  }

  #opened(socket: WebSocket): void {
    this.#wasOpen = true
    this.#earlySize = 0
    for (const text of this.#early.splice(0)) socket.send(text)
  }

  #write(text: string): Promise<void> | undefined {
    const { maxQueuedChars } = this.#limits
    if (this.#earlySize + (this.#socket?.bufferedAmount ?? 0) + text.length > maxQueuedChars) {
      throw new McpError('Busy', 'Cannot send: too many bytes are waiting to be sent', { outcome: 'NotSent' })
    }
    if (this.#socket && this.#wasOpen) {
      this.#socket.send(text)
      return this.#room.whenDrained(this.#socket)
    }
    this.#early.push(text)
    this.#earlySize += text.length
    return undefined
  }

  #take(data: unknown): void {
    if (this.#isClosed || !this.#receiver) return
    if (typeof data !== 'string') return this.#shut(wrong('InvalidResponse', 'sent bytes where text is due'))
    const { maxMessageBytes } = this.#limits
    if (data.length > maxMessageBytes)
      return this.#shut(wrong('TooLarge', `sent a message larger than ${maxMessageBytes} bytes`))
    if (this.#held) this.#hold(this.#held, data)
    else receiveMessages(data, this.#receiver)
  }

  #hold(held: string[], text: string): void {
    const { maxMessageBytes } = this.#limits
    held.push(text)
    this.#heldSize += text.length
    if (this.#heldSize > maxMessageBytes)
      this.#shut(wrong('TooLarge', `sent more than ${maxMessageBytes} bytes while reading was paused`))
  }

  #shut(reason: Error | undefined): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stop.abort(reason ?? closedFailure())
    this.#room.stop()
    this.#socket?.close()
    this.#receiver?.closed(reason)
  }
}

/** A socket of the package "ws" can stop reading. */
type PausableSocket = WebSocket & { pause?(): void; resume?(): void }

/** Opens a socket with headers; browsers cannot send any. */
function connected(Socket: typeof WebSocket, url: URL, headers: HeaderRecord = {}): WebSocket {
  if (Object.keys(headers).length === 0) return new Socket(url, 'mcp')
  try {
    return new Socket(url, { protocols: ['mcp'], headers } as never)
  } catch (cause) {
    const problem = 'this runtime cannot show over a WebSocket who is calling; use the http: or https: address'
    throw new McpError('Unsupported', `Cannot connect: ${problem}`, { outcome: 'NotSent', cause })
  }
}

function isResponse(message: Message | readonly Message[]): boolean {
  return Array.isArray(message) || !('method' in message)
}

function unanswered(cause: unknown): McpError {
  const message = 'The connection was closed: a response could not be sent, because the server does not read'
  return new McpError('Closed', message, { outcome: 'Unknown', cause })
}

function wrong(code: 'InvalidResponse' | 'TooLarge', what: string): McpError {
  return new McpError(code, `The server ${what}`, { outcome: 'Unknown' })
}

const meanings: { readonly [code: number]: string } = {
  1001: 'it is going away',
  1002: 'it was not spoken to by the rules',
  1003: 'it does not take this kind of data',
  1006: 'the connection broke',
  1008: 'it does not allow this',
  1009: 'the message was too large for it',
  1011: 'something went wrong there',
  1012: 'it is starting again',
  1013: 'it has too much to do',
}

// 1000 is a normal close, 1005 one without a code
function reasonOf(code: number, said: string): McpError | undefined {
  if (code === 1000 || code === 1005) return undefined
  const why = [meanings[code], said].filter(Boolean).join(', ')
  const message = `The server closed the connection with ${code}${why === '' ? '' : `: ${why}`}`
  return new McpError('Closed', message, { outcome: 'Unknown' })
}
