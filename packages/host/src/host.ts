import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Caller } from '@trunkline/mcp'
import type { Act, Principal } from './acts/act.ts'
import { type AskOptions, askPerson } from './acts/ask.ts'
import { judge, unattended } from './acts/judge.ts'
import { type ActLimits, limit } from './acts/limit.ts'
import { localAnswers } from './acts/local-answers.ts'
import type { ActHandler } from './acts/outcome.ts'
import { pinned } from './acts/pinned.ts'
import { record } from './acts/record.ts'
import { Catalogue } from './catalogue/catalogue.ts'
import { hashOf } from './catalogue/definition-hash.ts'
import { learnOffers } from './catalogue/learn.ts'
import { catalogueTables } from './catalogue/tables.ts'
import { Gateway, stacked } from './gateway/gateway.ts'
import { type HttpFront, listenFront } from './gateway/http-front.ts'
import { aggregateView, serverView } from './gateway/view.ts'
import { Watchers } from './gateway/watchers.ts'
import { Grants } from './inbox/grants.ts'
import { Inbox, type InboxLimits } from './inbox/inbox.ts'
import { inboxTables } from './inbox/tables.ts'
import { Ledger } from './ledger/ledger.ts'
import { Payloads, type RecordLevel } from './ledger/payloads.ts'
import { ledgerTables } from './ledger/tables.ts'
import { Policy } from './policy/policy.ts'
import type { Rule } from './policy/rule.ts'
import { Principals } from './principals/principals.ts'
import { principalTables } from './principals/tables.ts'
import { OpenCalls } from './relay/open-calls.ts'
import { declaredToServers, ServerAsks } from './relay/server-asks.ts'
import { Crowd } from './servers/crowd.ts'
import { commandHash } from './servers/launch.ts'
import type { ServerSpec } from './servers/server-spec.ts'
import type { UpstreamStatus } from './servers/upstream.ts'
import { openStore, type Store } from './store/store.ts'

export interface HostOptions {
  /** The folder for all that the host must remember. */
  readonly folder: string
  /** @default none */
  readonly servers?: readonly ServerSpec[]
  /** The rules in force. @default none, so the defaults by class hold */
  readonly rules?: readonly Rule[]
  /** `observe` asks nothing, enforces what is denied, and records. @default 'enforce' */
  readonly mode?: 'enforce' | 'observe'
  /** Nothing waits for a person: what would ask is refused, with the rule that would allow it. @default false */
  readonly unattended?: boolean
  /** @default 0, which takes a free one */
  readonly port?: number
  /** The one server that `/mcp` offers, under its own names. @default all of them, under names that tell them apart */
  readonly only?: string
  /** How much of arguments and results is kept beside the ledger. @default 'full' */
  readonly record?: (server: string) => RecordLevel
  /** Lets everybody on this machine in without a token, for tests and benchmarks. @default false */
  readonly open?: boolean
  readonly ask?: AskOptions
  /** Makes a rule of "always". @default it holds for the session */
  readonly always?: (act: Act) => Promise<void>
  readonly limits?: ActLimits & InboxLimits
  onState?(status: UpstreamStatus): void
  onError?(error: unknown, what: string): void
}

/** How long a caller waits for a server that was never seen, in milliseconds. */
const learnMs = 4_000
const version = '0.1.0'
const anybody: Principal = { id: 'anybody', name: 'anybody', isApprover: false }

/** The host: many servers under one policy, behind one endpoint, with a person in control. */
export class Host implements AsyncDisposable {
  readonly store: Store
  readonly catalogue: Catalogue
  readonly principals: Principals
  readonly inbox: Inbox
  readonly grants: Grants
  readonly ledger: Ledger
  readonly payloads: Payloads
  readonly servers: Crowd
  readonly watchers: Watchers
  readonly calls = new OpenCalls()
  readonly #options: HostOptions
  readonly #asks = new Map<string, ServerAsks>()
  readonly #learning = new Map<string, Promise<void>>()
  #policy: Policy
  #policyVersion = ''
  #front: HttpFront | undefined

  constructor(options: HostOptions) {
    this.#options = options
    this.store = openStore({
      path: join(options.folder, 'trunkline.sqlite'),
      rooms: [ledgerTables, inboxTables, catalogueTables, principalTables],
    })
    this.catalogue = new Catalogue(this.store)
    this.principals = new Principals(this.store)
    this.inbox = new Inbox(this.store, options.limits)
    this.grants = new Grants(this.store)
    this.ledger = new Ledger(this.store)
    this.payloads = new Payloads(this.store)
    this.#policy = new Policy({ rules: [] })
    this.setRules(options.rules ?? [])
    this.watchers = new Watchers({ client: (server) => this.#upstream(server).client() })
    this.servers = new Crowd({
      connecting: { options: (spec) => this.#connecting(spec) },
      onState: (status) => this.#changed(status),
    })
  }

  /** Starts listening; servers start when they are needed. */
  async start(): Promise<void> {
    const { servers = [], port, open, only } = this.#options
    await this.servers.apply(servers)
    const gateway = this.#gateway()
    this.#front = await listenFront({
      ...(port !== undefined && { port }),
      ...(open && { everybody: anybody }),
      byToken: (token) => this.principals.byToken(token),
      front: (path) => {
        if (path === '/mcp' && only === undefined) {
          const all = aggregateView(() => this.servers.names)
          return gateway.front('trunkline', all)
        }
        const name = path === '/mcp' ? only : /^\/mcp\/server\/([a-z0-9-]+)$/.exec(path)?.[1]
        return name && this.servers.get(name) ? gateway.front(name, serverView(name)) : undefined
      },
    })
  }

  /** The address of the aggregate; that of one server is below it. */
  get url(): string {
    if (!this.#front) throw new Error('Cannot name the address of the host: it does not listen yet')
    return this.#front.url
  }

  get policy(): Policy {
    return this.#policy
  }

  /** Puts other rules in force, from the next act on. */
  setRules(rules: readonly Rule[]): void {
    const { mode } = this.#options
    this.#policy = new Policy({ rules, ...(mode && { mode }) })
    this.#policyVersion = hashOf([mode, rules.map(({ effect, text }) => [effect, text])])
  }

  /** Accepts a server as it is configured now: starts it, and pins what it offers. Returns what the scanner stopped. */
  async accept(name: string) {
    const upstream = this.#upstream(name)
    const { launch } = upstream.spec
    if (launch.kind === 'unresolved') throw new Error(`Cannot accept server "${name}": ${launch.needs}`)
    await learnOffers(name, await upstream.client(), this.catalogue)
    const stopped = await this.catalogue.acceptServer(name, commandHash(launch))
    await this.ledger.decide({ kind: 'accepted', server: name, definition: commandHash(launch), by: 'person' })
    return stopped
  }

  async close(): Promise<void> {
    this.calls.close()
    this.inbox.close()
    await this.#front?.close()
    await this.servers.close()
    await this.store.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #gateway(): Gateway {
    const { onError } = this.#options
    return new Gateway({
      catalogue: this.catalogue,
      calls: this.calls,
      stack: this.#stack(),
      watchers: this.watchers,
      keys: [this.#sealingKey()],
      version,
      principalOf: (caller) => this.#principalOf(caller),
      projectOf: () => undefined,
      learn: (servers) => this.#learn(servers),
      ...(onError && { onError }),
    })
  }

  /** What every act goes through, from the outside in. */
  #stack(): ActHandler {
    const { record: levelOf = () => 'full' as const, limits, ask, always } = this.#options
    const person = askPerson(
      {
        inbox: this.inbox,
        grants: this.grants,
        commandOf: (act) => this.#commandOf(act),
        policyVersion: () => this.#policyVersion,
        ...(always && { always }),
        ...(this.#options.unattended && { unattended: (act: Act) => unattended(this.#policy, act) }),
      },
      ask,
    )
    return stacked(
      [
        record({ ledger: this.ledger, payloads: this.payloads, levelOf }),
        limit(limits),
        pinned(this.catalogue),
        judge(() => this.#policy, person),
      ],
      ({ act, call, method, params }) =>
        this.#upstream(act.server).run(
          (client) => this.#asksOf(act.server).run(client, call, { method, params }),
          call.signal,
        ),
    )
  }

  #principalOf({ principal }: Caller): Principal {
    if (this.#options.open) return anybody
    const found = principal === undefined ? undefined : this.principals.byId(principal)
    if (!found) throw new Error('Cannot serve: nobody is known by this token any more')
    return found
  }

  #commandOf({ server }: Act): string {
    const { launch } = this.#upstream(server).spec
    return launch.kind === 'unresolved' ? '' : commandHash(launch)
  }

  #upstream(name: string) {
    const upstream = this.servers.get(name)
    if (!upstream) throw new Error(`Cannot find server "${name}": no such server is configured`)
    return upstream
  }

  #connecting(spec: ServerSpec) {
    const asks = this.#asksOf(spec.name)
    return {
      relay: { capabilities: declaredToServers, answer: asks.answer.bind(asks) },
      logLevel: 'debug' as const,
      onLog: (message: Parameters<ServerAsks['log']>[0], during: { readonly context: unknown }) =>
        asks.log(message, during.context),
      onWarning: () => {},
    }
  }

  #asksOf(server: string): ServerAsks {
    const known = this.#asks.get(server)
    if (known) return known
    const asks = new ServerAsks(
      server,
      localAnswers(this.inbox, (name) => this.servers.get(name)?.spec.project),
    )
    this.#asks.set(server, asks)
    return asks
  }

  /** A server that came up says what it offers now, and is listened to for as long as it runs. */
  #changed(status: UpstreamStatus): void {
    this.#options.onState?.(status)
    if (status.state !== 'ready') return
    const { name } = status
    queueMicrotask(() => void this.#listen(name).catch((error) => this.#options.onError?.(error, `server "${name}"`)))
  }

  async #listen(name: string): Promise<void> {
    const client = await this.#upstream(name).client()
    await learnOffers(name, client, this.catalogue)
    if (this.#upstream(name).status.starts > 1) this.watchers.renew(name)
    await client.watch({ tools: true, prompts: true, resources: true }, () => {
      void learnOffers(name, client, this.catalogue).catch(() => {})
    })
  }

  /** Servers that were accepted and never seen are started, and waited for as long as a caller can wait. */
  async #learn(servers: readonly string[]): Promise<void> {
    const unseen = servers.filter((name) => this.catalogue.entries(name).length === 0 && this.#isAccepted(name))
    if (unseen.length === 0) return
    const all = Promise.allSettled(unseen.map((name) => this.#learnOnce(name)))
    let timer: NodeJS.Timeout | undefined
    await Promise.race([all, new Promise((resolve) => (timer = setTimeout(resolve, learnMs)))])
    clearTimeout(timer)
  }

  #learnOnce(name: string): Promise<void> {
    const known = this.#learning.get(name)
    if (known) return known
    const learning = this.#upstream(name)
      .client()
      .then((client) => learnOffers(name, client, this.catalogue))
      .finally(() => this.#learning.delete(name))
    this.#learning.set(name, learning)
    return learning
  }

  #isAccepted(name: string): boolean {
    const launch = this.servers.get(name)?.spec.launch
    return launch !== undefined && launch.kind !== 'unresolved' && this.catalogue.isAccepted(name, commandHash(launch))
  }

  /** Kept in the store, so that what callers carry back can be read after a restart. */
  #sealingKey(): string {
    const { database } = this.store
    const row = database.prepare(`SELECT value FROM ledger_key WHERE name = 'sealing'`).get()
    if (row) return String(row.value)
    const key = randomBytes(32).toString('base64url')
    database.prepare(`INSERT INTO ledger_key (name, value) VALUES ('sealing', ?)`).run(key)
    return key
  }
}

/** Starts a host. */
export async function startHost(options: HostOptions): Promise<Host> {
  const host = new Host(options)
  try {
    await host.start()
    return host
  } catch (error) {
    await host.close()
    throw error
  }
}
