import { PassThrough } from 'node:stream'
import { type Client, connect } from '@trunkline/mcp'
import type { Relay } from '@trunkline/mcp/relay'
import { streamChannel } from '@trunkline/mcp/stdio'
import type { Principal } from '../acts/act.ts'

export interface InnerClientParts {
  /** What is offered at an address below `/mcp`; nothing for an address that is none. */
  front(path: string): Relay | undefined
  /** The principal that a program of the person is. */
  named(program: string): Promise<Principal>
}

/** Clients within the host itself: what they ask for becomes an act like that of any other program. */
export class InnerClients {
  readonly #parts: InnerClientParts
  /** One per program and server, made when it is first needed. */
  readonly #clients = new Map<string, Promise<Client>>()

  constructor(parts: InnerClientParts) {
    this.#parts = parts
  }

  of(server: string, program: string): Promise<Client> {
    const key = `${program} ${server}`
    const known = this.#clients.get(key)
    if (known) return known
    const made = this.#make(server, program)
    this.#clients.set(key, made)
    made.catch(() => this.#clients.delete(key))
    return made
  }

  async close(): Promise<void> {
    const clients = await Promise.allSettled(this.#clients.values())
    await Promise.all(clients.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)))
  }

  async #make(server: string, program: string): Promise<Client> {
    const front = this.#parts.front(`/mcp/server/${server}`)
    if (!front) throw new Error(`Cannot find server "${server}": no such server is configured`)
    const { id } = await this.#parts.named(program)
    const [requests, answers] = [new PassThrough(), new PassThrough()]
    front.serve(streamChannel(requests, answers, { sender: { principal: id, claims: {} } }))
    return connect(streamChannel(answers, requests))
  }
}
