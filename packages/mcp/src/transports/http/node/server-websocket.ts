import type { WebSocket } from 'ws'
import type { Channel, Receiver, Sender, SendOptions } from '../../../rpc/channel.ts'
import { runAtTime } from '../../../rpc/run-at-time.ts'
import { Malformed } from '../../../wire/classify.ts'
import { McpError, RpcError } from '../../../wire/errors.ts'
import type { Message } from '../../../wire/messages.ts'
import { readMessages } from '../../../wire/read-messages.ts'
import { writeMessage } from '../../../wire/write-message.ts'
import { dropped, type Output, type SlowReaders } from '../../backpressure.ts'
import type { AuthenticatedConnection } from '../server/authenticate.ts'

/** Unread bytes beyond which senders wait. */
const highWaterBytes = 65_536
const farewellMs = 1_000

/** The server's channel over a WebSocket, one message per frame. */
export class ServerWebSocket implements Channel, Output {
  readonly #socket: WebSocket
  readonly #sender: Sender
  readonly #readers: SlowReaders
  /** The payload of the last unanswered ping. */
  #owedPong: Buffer | undefined
  /** Time at which the unanswered ping was sent. */
  #pingedAt: number | undefined
  #room: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined

  constructor(socket: WebSocket, { sender, expiresAt }: AuthenticatedConnection, readers: SlowReaders) {
    this.#socket = socket
    this.#sender = sender
    this.#readers = readers
    if (expiresAt !== undefined) this.#endAt(expiresAt)
    socket.on('ping', (payload) => this.#answerPing(payload))
    socket.on('pong', () => this.#heard())
  }

  open(receiver: Receiver): void {
    this.#socket.on('message', (data, isBinary) => {
      this.#heard()
      this.#receive(receiver, isBinary ? undefined : data.toString())
    })
    this.#socket.on('error', () => this.#socket.terminate())
    this.#socket.on('close', () => {
      this.#readers.forget(this)
      this.#makeRoom()
      receiver.closed()
    })
  }

  send(message: Message | readonly Message[], options?: SendOptions): Promise<void> | undefined {
    const socket = this.#socket
    if (socket.readyState !== socket.OPEN) {
      return Promise.reject(new McpError('NotSent', 'Cannot send: the connection is closed', { outcome: 'NotSent' }))
    }
    const wait = this.#readers.isFull(this) ? dropped(this.#whenRoom(), options) : undefined
    if (wait) return wait
    const before = this.unreadBytes
    socket.send(writeMessage(message), this.#flushed)
    this.#wrote(before)
    return this.unreadBytes > highWaterBytes ? this.#whenRoom() : undefined
  }

  close(code = 1000, reason?: string): Promise<void> {
    return leave(this.#socket, code, reason)
  }

  get unreadBytes(): number {
    const { readyState, CLOSED, bufferedAmount } = this.#socket
    return readyState === CLOSED ? 0 : bufferedAmount
  }

  destroy(): void {
    this.#socket.terminate()
  }

  /** Sends a ping; closes the socket when the last one was not answered in time. */
  ping(maxPongMs: number): void {
    // the limits of slow readers apply while something is unread
    if (this.#socket.readyState !== this.#socket.OPEN || this.unreadBytes > 0) return
    const now = performance.now()
    if (this.#pingedAt !== undefined) return now - this.#pingedAt < maxPongMs ? undefined : this.destroy()
    this.#pingedAt = now
    this.#socket.ping()
    this.#wrote(0)
  }

  #heard(): void {
    this.#pingedAt = undefined
  }

  /** Answers a ping; while something is unread only the last one, later. */
  #answerPing(payload: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (this.unreadBytes > 0) {
      this.#owedPong = Buffer.from(payload)
      return
    }
    this.#socket.pong(payload, false, this.#flushed)
    this.#wrote(0)
  }

  #wrote(unreadBefore: number): void {
    const unread = this.unreadBytes
    if (unread > 0) this.#readers.wrote(this, unread - unreadBefore)
    // no more requests are read from a peer that does not read
    if (this.#readers.isFull(this)) this.#socket.pause()
  }

  readonly #flushed = (): void => {
    if (this.unreadBytes <= highWaterBytes) this.#makeRoom()
    if (this.#socket.isPaused && !this.#readers.isFull(this)) {
      this.#socket.resume()
      // a pong may have arrived while the socket was paused
      this.#heard()
    }
    if (this.unreadBytes > 0) return
    const owed = this.#owedPong
    this.#owedPong = undefined
    if (owed) this.#answerPing(owed)
  }

  #whenRoom(): Promise<void> {
    if (!this.#room) {
      let resolve = (): void => {}
      const promise = new Promise<void>((done) => {
        resolve = done
      })
      this.#room = { promise, resolve }
    }
    return this.#room.promise
  }

  #makeRoom(): void {
    this.#room?.resolve()
    this.#room = undefined
  }

  /** Closes the socket when the authorization expires, because it is checked only once. */
  #endAt(time: number): void {
    const callOff = runAtTime(time, () => this.#socket.close(1008, 'authorization has expired'))
    this.#socket.once('close', callOff)
  }

  #receive(receiver: Receiver, text: string | undefined): void {
    if (text === undefined) return this.#socket.close(1003, 'text only')
    const reading = readMessages(text)
    for (const entry of Array.isArray(reading) ? reading : [reading]) {
      if (entry instanceof RpcError) receiver.malformed(entry, entry instanceof Malformed ? entry.id : undefined)
    }
    if (Array.isArray(reading))
      receiver.message(reading.filter((entry) => !(entry instanceof RpcError)) as readonly Message[], this.#sender)
    else if (!(reading instanceof RpcError)) receiver.message(reading as Message, this.#sender)
  }
}

/** Closes a socket; terminates it when the peer does not answer. */
async function leave(socket: WebSocket, code: number, reason?: string): Promise<void> {
  if (socket.readyState === socket.CLOSED) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => socket.terminate(), farewellMs)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    socket.close(code, reason)
  })
}
