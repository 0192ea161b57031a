import { PassThrough } from 'node:stream'
import {
  type Channel,
  type Client,
  type ClientExtension,
  type ClientOptions,
  connect,
  type Fields,
} from '@trunkline/mcp'
import type { Relay } from '@trunkline/mcp/relay'
import { streamChannel } from '@trunkline/mcp/stdio'
import { type ClientTask, type ClientTasks, type TaskStartOptions, tasks } from '@trunkline/mcp/tasks'
import type { ServerName } from '../act/server-name.ts'
import type { Principals } from './principals/principals.ts'
import { asTaskParams } from './wants-task.ts'
import { type WrittenCall, type WrittenRequest, writtenRequest } from './written-request.ts'

export interface InnerClientParts {
  /** The relay at an address below `/mcp`; undefined for an unknown address. */
  front(path: string): Relay | undefined
  /** The programs of the person. */
  principals(): Pick<Principals, 'named' | 'byId' | 'onEnded' | 'noteConnection'>
  /** Clients that are kept; the one that was not used longest is closed for another. @default 1_000 */
  readonly maxClients?: number
}

const defaultMaxClients = 1_000

/** A client all of whose calls run as tasks. */
export interface TaskClient {
  readonly tools: { start(name: string, input: Fields, options?: TaskStartOptions): Promise<ClientTask> }
  readonly tasks: ClientTasks
}

/** A client within the host, and its principal. */
interface InnerClient {
  readonly client: Client
  readonly principal: string
}

/** Clients within the host itself: their requests become acts like those of any other program. */
export class InnerClients {
  readonly #parts: InnerClientParts
  /** One per program, server and use, made when it is first needed. */
  readonly #clients = new Map<string, Promise<InnerClient>>()
  #stopHearing: (() => void) | undefined

  constructor(parts: InnerClientParts) {
    this.#parts = parts
  }

  get size(): number {
    return this.#clients.size
  }

  of(server: ServerName, program: string): Promise<Client> {
    return this.#known(`${program} ${server}`, () => this.#make(server, program))
  }

  /** A client that asks for a task with every call. */
  withTasks(server: ServerName, program: string): Promise<TaskClient> {
    const made = this.#known(`${program} ${server} tasks`, () =>
      this.#make(server, program, { extensions: [tasks() as ClientExtension], use: [askForTasks] }),
    )
    return made as Promise<Client & TaskClient>
  }

  /** The request with which a client calls a tool of a server over HTTP, at this address. */
  async written(server: ServerName, program: string, call: Omit<WrittenCall, 'principal'>): Promise<WrittenRequest> {
    const written = await writtenRequest(this.#frontOf(server), {
      ...call,
      principal: await this.#parts.principals().named(program),
    })
    if (!written) throw new Error(`Cannot write down a call of "${call.tool}": no client would send it`)
    return written
  }

  async close(): Promise<void> {
    this.#stopHearing?.()
    const clients = await Promise.allSettled(this.#clients.values())
    await Promise.all(clients.map((one) => (one.status === 'fulfilled' ? one.value.client.close() : undefined)))
  }

  /** Closes those whose principal was ended; the next one of that program is made anew. */
  async #review(): Promise<void> {
    for (const [key, made] of this.#clients) {
      const inner = await made.catch(() => undefined)
      if (inner && !this.#parts.principals().byId(inner.principal)) this.#drop(key, made)
    }
  }

  async #known(key: string, make: () => Promise<InnerClient>): Promise<Client> {
    const known = this.#clients.get(key)
    const made = known ?? make()
    this.#clients.delete(key)
    this.#clients.set(key, made)
    if (!known) this.#keep(key, made)
    return (await made).client
  }

  #keep(key: string, made: Promise<InnerClient>): void {
    this.#stopHearing ??= this.#parts.principals().onEnded(() => void this.#review())
    made.catch(() => this.#clients.delete(key))
    const { maxClients = defaultMaxClients } = this.#parts
    const [oldest] = this.#clients
    if (oldest && this.#clients.size > maxClients) this.#drop(...oldest)
  }

  #drop(key: string, made: Promise<InnerClient>): void {
    this.#clients.delete(key)
    void made.then(({ client }) => client.close()).catch(() => {})
  }

  async #make(server: ServerName, program: string, options: ClientOptions = {}): Promise<InnerClient> {
    const front = this.#frontOf(server)
    const { id } = await this.#parts.principals().named(program)
    this.#parts.principals().noteConnection(id)
    const [requests, answers] = [new PassThrough(), new PassThrough()]
    front.serve(streamChannel(requests, answers, { sender: { principal: id, claims: {} } }))
    const channel: Channel = streamChannel(answers, requests)
    return { client: await connect(channel, options as object), principal: id }
  }

  #frontOf(server: ServerName): Relay {
    const front = this.#parts.front(`/mcp/server/${server}`)
    if (!front) throw new Error(`Cannot find server "${server}": no such server is configured`)
    return front
  }
}

type Intercept = NonNullable<ClientOptions['use']>[number]

/** The gateway makes a task of every call that says it wants one. */
const askForTasks: Intercept = (next) => (request) =>
  next(request.method === 'tools/call' ? { ...request, params: asTaskParams(request.params) } : request)
