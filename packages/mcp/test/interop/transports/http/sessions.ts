import type { IncomingMessage, ServerResponse } from 'node:http'

interface SessionTransport {
  handleRequest(incoming: IncomingMessage, outgoing: ServerResponse, body?: unknown): Promise<void>
  close(): Promise<void>
}

/** The sessions of a server, for a library that leaves it to its users to keep them. */
export class Sessions<Transport extends SessionTransport> {
  readonly #open = new Map<string, Transport>()
  readonly #create: (sessions: Sessions<Transport>) => Promise<Transport>

  constructor(create: (sessions: Sessions<Transport>) => Promise<Transport>) {
    this.#create = create
  }

  get size(): number {
    return this.#open.size
  }

  add(id: string, transport: Transport): void {
    this.#open.set(id, transport)
  }

  remove(id: string): void {
    this.#open.delete(id)
  }

  /** Forgets every session, as a server does that is started again. */
  clear(): void {
    this.#open.clear()
  }

  async answer(incoming: IncomingMessage, outgoing: ServerResponse, body?: unknown): Promise<void> {
    const id = incoming.headers['mcp-session-id']
    const transport = id === undefined ? await this.#create(this) : this.#open.get(String(id))
    if (!transport) return void outgoing.writeHead(404).end()
    await transport.handleRequest(incoming, outgoing, body)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((transport) => transport.close()))
  }
}
