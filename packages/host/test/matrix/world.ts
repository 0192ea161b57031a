/** A host in front of the four kinds of servers, and the four kinds of callers, each with processes and sockets of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type Client, type ClientOptions, connect, type Fields, type LogMessage } from '@trunkline/mcp'
import { spawnChannel } from '@trunkline/mcp/stdio'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { commandPath as command } from '../../../cli/test/command-path.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { type Person, person } from '../run/person.ts'

export const revisions = { handshake: '2025-11-25', stateless: '2026-07-28' } as const

/** Protocol shape and transport of one side. */
export interface Side {
  readonly shape: keyof typeof revisions
  readonly over: 'http' | 'stdio'
}

export const sides: readonly Side[] = (['handshake', 'stateless'] as const).flatMap((shape) =>
  (['http', 'stdio'] as const).map((over) => ({ shape, over })),
)

export const nameOf = ({ shape, over }: Side): string => `${shape}-${over}`

/** Answers requests of a server to a caller. */
export type Answering = (method: string, params: Fields, signal?: AbortSignal) => Promise<Fields> | Fields

/** One of the person's programs; each test sets its answers. */
export interface Caller {
  readonly client: Client
  answering: Answering
  readonly logs: LogMessage[]
}

const capabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: { listChanged: true },
} as const

/** Rules for the callers that are asked nothing and shown nothing. */
const deny = ['@elicit', '@sample', '@list'].map((kind) => ({ match: `*:${kind}`, principal: '*-denied' }))

const refuses: Answering = (method) => {
  throw new Error(`Nobody expected "${method}" here`)
}

export interface WorldOptions {
  /** The program of the servers, in `test/programs`. @default 'matrix-upstream' */
  readonly program?: string
  /** Extensions that the callers have enabled. @default none */
  readonly extensions?: ClientOptions['extensions']
}

interface WorldParts {
  readonly children: readonly ChildProcess[]
  readonly extensions: ClientOptions['extensions']
}

/** The host with its servers; callers connect to it. */
export class World implements AsyncDisposable {
  readonly running: RunningHost
  readonly #ann: Person
  readonly #children: readonly ChildProcess[]
  readonly #extensions: ClientOptions['extensions']
  readonly #callers = new Map<string, Promise<Caller>>()

  private constructor(ann: Person, running: RunningHost, { children, extensions }: WorldParts) {
    this.#extensions = extensions
    this.#ann = ann
    this.running = running
    this.#children = children
  }

  static async open({ program = 'matrix-upstream', extensions }: WorldOptions = {}): Promise<World> {
    const ann = person()
    const children: ChildProcess[] = []
    const entries = await Promise.all(
      sides.map(async (side) => [nameOf(side), await entryOf(program, side, children)] as const),
    )
    ann.configure({ mcpServers: Object.fromEntries(entries), policy: { allow: ['*:*', '*:@*'], deny } })
    const running = await ann.run()
    await Promise.all(sides.map((side) => running.host.accept(nameOf(side))))
    return new World(ann, running, { children, extensions })
  }

  /** The caller of this kind and number; it is connected when it is first needed. */
  caller(side: Side, which: 'one' | 'two' | 'denied' = 'one'): Promise<Caller> {
    const name = `${nameOf(side)}-${which}`
    const known = this.#callers.get(name) ?? this.#dial(side, name)
    this.#callers.set(name, known)
    return known
  }

  async #dial({ shape, over }: Side, name: string): Promise<Caller> {
    const answers: { answering: Answering; logs: LogMessage[] } = { answering: refuses, logs: [] }
    const options: ClientOptions = {
      revisions: [revisions[shape]],
      relay: {
        capabilities,
        answer: async (method, params, during) => answers.answering(method, params, during?.signal),
      },
      onLog: (message) => answers.logs.push(message),
      cache: false,
      ...(this.#extensions && { extensions: this.#extensions }),
    }
    const client = over === 'http' ? await this.#overHttp(name, options) : await this.#overStdio(name, options)
    // the host asks a caller once which directory it works in; this one does not say
    await client.prompts.list().all()
    return Object.assign(answers, { client })
  }

  async #overHttp(name: string, options: ClientOptions): Promise<Client> {
    const { host } = this.running
    const { token } = await host.principals.make({ name })
    return connect(new URL(host.url), { ...options, http: { headers: { authorization: `Bearer ${token}` } } })
  }

  async #overStdio(name: string, options: ClientOptions): Promise<Client> {
    await this.running.host.principals.make({ name })
    const { home, project } = this.#ann
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
    const env = { PATH, NODE_COMPILE_CACHE, HOME: home }
    const target = { command: process.execPath, args: [command, 'stdio', '--client', name], cwd: project, env }
    return connect(() => spawnChannel(target), options)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const callers = await Promise.all(this.#callers.values())
    await Promise.all(callers.map(({ client }) => client.close()))
    await this.running.close()
    for (const child of this.#children) child.kill()
    this.#ann[Symbol.dispose]()
  }
}

async function entryOf(program: string, side: Side, children: ChildProcess[]): Promise<object> {
  const args = [programFile(new URL(`../programs/${program}.ts`, import.meta.url)), side.shape, side.over]
  const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
  if (side.over === 'stdio') return { command: process.execPath, args, env }
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  for await (const url of createInterface(child.stdout)) return { type: 'http', url }
  throw new Error('The server said nothing')
}
