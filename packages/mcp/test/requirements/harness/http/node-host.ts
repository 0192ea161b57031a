import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Server as Definition, ServerTypes } from '../../../../src/index.ts'
import { type NodeListener, toNode } from '../../../../src/node.ts'
import { definitionOf, type Posted, type PostedHost, zero } from './host.ts'

/** Header that names the caller to a host, which believes it. */
export const principalHeader = 'x-principal'

/** A fixture in a server of `node:http`, which tells what has arrived. */
export class NodeHost implements PostedHost {
  readonly #definition: Definition<ServerTypes>
  readonly #listener: NodeListener
  readonly #http: Server
  readonly #events = new EventEmitter()
  #answering = 0

  private constructor(definition: Definition<ServerTypes>) {
    this.#definition = definition
    this.#listener = toNode(definition, { sse: true })
    this.#http = createServer((message, response) => this.#serve(message, response))
  }

  static async start(fixture: string): Promise<NodeHost> {
    const host = new NodeHost(await definitionOf(fixture))
    await once(host.#http.listen(0, '127.0.0.1'), 'listening')
    return host
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/mcp`
  }

  async posted(): Promise<Posted> {
    const [posted] = await once(this.#events, 'posted')
    return posted
  }

  settled(): Promise<void> {
    return zero(() => ({ answering: this.#answering, ...this.#definition.live }))
  }

  async close(): Promise<void> {
    const closed = once(this.#http, 'close')
    this.#http.close()
    this.#http.closeAllConnections()
    await this.#listener.close()
    await closed
  }

  #serve(message: IncomingMessage, response: ServerResponse): void {
    const { [principalHeader]: principal } = message.headers
    const whenOver = once(response, 'close')
    this.#answering += 1
    void whenOver.then(() => {
      this.#answering -= 1
    })
    // what is refused by its headers may be answered before it is read
    const whenRead = Promise.race([once(message, 'end'), whenOver])
    if (message.method === 'POST') void whenRead.then(() => this.#events.emit('posted', { whenOver }))
    this.#listener.handle(message, response, typeof principal === 'string' ? { principal } : {})
  }
}
