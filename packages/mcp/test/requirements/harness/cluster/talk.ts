/** Calls between a process and the one that has started it, in both directions. */
import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'

/** The end of a channel between two processes: this process, or one that it has started. */
type Port = Pick<ChildProcess, 'send'> | Pick<NodeJS.Process, 'send'>

interface Message {
  readonly id: number
  readonly method?: string
  readonly args?: readonly unknown[]
  readonly value?: unknown
  readonly error?: string
}

// biome-ignore lint/suspicious/noExplicitAny: each method knows its own arguments
type Handlers = { readonly [method: string]: (...args: any[]) => unknown }

/** One end of the talk. */
export class Talk {
  readonly #port: Port
  readonly #answers = new EventEmitter().setMaxListeners(0)
  #asked = 0

  constructor(port: Port, handlers: Handlers) {
    this.#port = port
    const emitter = port as unknown as EventEmitter
    emitter.on('message', (message: Message) => {
      if (message.method === undefined) this.#answers.emit(`${message.id}`, message)
      else void this.#serve(handlers[message.method], message)
    })
  }

  /** Rejects all that was asked, when the other end is gone. */
  end(reason: string): void {
    for (const id of this.#answers.eventNames()) this.#answers.emit(id, { id: 0, error: reason } satisfies Message)
  }

  /** Calls a method of the other end. */
  ask<Value>(method: string, ...args: readonly unknown[]): Promise<Value> {
    const id = ++this.#asked
    return new Promise((resolve, reject) => {
      this.#answers.once(`${id}`, ({ value, error }: Message) => {
        if (error === undefined) resolve(value as Value)
        else reject(new Error(error))
      })
      this.#port.send?.({ id, method, args })
    })
  }

  /** Calls a method of the other end, whose answer is not waited for. */
  tell(method: string, ...args: readonly unknown[]): void {
    this.#port.send?.({ id: 0, method, args })
  }

  async #serve(handler: Handlers[string] | undefined, { id, method, args = [] }: Message): Promise<void> {
    try {
      if (!handler) throw new Error(`There is no method "${method}"`)
      const value = await handler(...args)
      if (id > 0) this.#port.send?.({ id, value })
    } catch (error) {
      this.#port.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  }
}
