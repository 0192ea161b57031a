import type { Channel, Receiver } from '../rpc/channel.ts'
import { McpError } from '../wire/errors.ts'
import type { Message } from '../wire/messages.ts'
import { writeMessage } from '../wire/write-message.ts'

/** Two connected channels in memory, for tests and for servers in the same process. */
export function memoryPair(): [Channel, Channel] {
  const near = new MemoryEnd()
  const far = new MemoryEnd()
  near.join(far)
  far.join(near)
  return [near, far]
}

class MemoryEnd implements Channel {
  #receiver: Receiver | undefined
  #other: MemoryEnd | undefined
  #early: string[] = []
  #closed = false
  #gone = false

  join(other: MemoryEnd): void {
    this.#other = other
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
    for (const text of this.#early.splice(0)) this.#deliver(text)
    if (this.#gone) receiver.closed()
  }

  // serialised, so that no objects are shared and only JSON arrives
  send(message: Message | readonly Message[]): Promise<void> | undefined {
    if (this.#closed) {
      return Promise.reject(new McpError('NotSent', 'Cannot send: the connection is closed', { outcome: 'NotSent' }))
    }
    this.#other?.take(writeMessage(message))
    return undefined
  }

  take(text: string): void {
    queueMicrotask(() => (this.#receiver ? this.#deliver(text) : this.#early.push(text)))
  }

  async close(): Promise<void> {
    this.shut()
    this.#other?.shut()
  }

  shut(): void {
    if (this.#closed) return
    this.#closed = true
    // messages sent before closing arrive before it
    queueMicrotask(() => {
      this.#gone = true
      this.#receiver?.closed()
    })
  }

  #deliver(text: string): void {
    if (!this.#gone) this.#receiver?.message(JSON.parse(text))
  }
}
