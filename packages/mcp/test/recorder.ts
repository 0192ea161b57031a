import { EventEmitter, once } from 'node:events'
import type { Receiver } from '../src/rpc/channel.ts'
import type { RpcError } from '../src/wire/errors.ts'
import type { Id, Message } from '../src/wire/messages.ts'
import { soon } from './soon.ts'

/** A receiver that keeps what it is given. */
export class Recorder implements Receiver {
  readonly messages: (Message | readonly Message[])[] = []
  readonly refusals: { readonly error: RpcError; readonly id: Id | undefined }[] = []
  readonly failures: { readonly id: Id; readonly reason: Error }[] = []
  readonly reasons: (Error | undefined)[] = []
  /** Awaited by the channel at the end of the input. */
  drained: Promise<void> = Promise.resolve()
  readonly #events = new EventEmitter()

  message(message: Message | readonly Message[]): void {
    this.messages.push(message)
    this.#events.emit('change')
  }

  malformed(error: RpcError, id?: Id): void {
    this.refusals.push({ error, id })
    this.#events.emit('change')
  }

  failed(id: Id, reason: Error): void {
    this.failures.push({ id, reason })
    this.#events.emit('change')
  }

  ended(): Promise<void> {
    this.#events.emit('change')
    return this.drained
  }

  closed(reason?: Error): void {
    this.reasons.push(reason)
    this.#events.emit('change')
  }

  /** Resolves with the messages when there are that many. */
  async received(count: number): Promise<(Message | readonly Message[])[]> {
    await this.#until(() => this.messages.length >= count)
    return this.messages
  }

  async refused(count: number): Promise<Recorder['refusals']> {
    await this.#until(() => this.refusals.length >= count)
    return this.refusals
  }

  /** Rejects with what became of the first call that will not be answered. */
  async unanswered(): Promise<never> {
    await this.#until(() => this.failures.length > 0)
    throw this.failures[0]?.reason
  }

  /** Resolves with the reason when the channel is closed. */
  async whenClosed(): Promise<Error | undefined> {
    await this.#until(() => this.reasons.length > 0)
    return this.reasons[0]
  }

  /** Rejects with the reason when the channel is closed for one. */
  async closing(): Promise<void> {
    const reason = await this.whenClosed()
    if (reason) throw reason
  }

  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) await soon(once(this.#events, 'change'), 'something to arrive on the channel')
  }
}
