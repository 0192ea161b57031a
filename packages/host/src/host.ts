import { join } from 'node:path'
import type { Caller, Client } from '@trunkline/mcp'
import type { Relay } from '@trunkline/mcp/relay'
import { type ActStacks, actStacks } from './act-stack.ts'
import type { Act, Principal } from './acts/act.ts'
import { askDefaults } from './acts/ask.ts'
import { localAnswers } from './acts/local-answers.ts'
import { recordDecision } from './acts/record-decisions.ts'
import { sampler } from './acts/sample.ts'
import { Catalogue, type ReviewedEntry } from './catalogue/catalogue.ts'
import { hashOf } from './catalogue/definition-hash.ts'
import { secretFile } from './config/secrets/secret-file.ts'
import { Gateway } from './gateway/gateway.ts'
import { type HttpFront, listenFront } from './gateway/http-front.ts'
import { InnerClients } from './gateway/inner-clients.ts'
import { ownOffers } from './gateway/own-offers.ts'
import { projectOf } from './gateway/project-of.ts'
import { sealingKey } from './gateway/sealing-key.ts'
import type { Profile } from './gateway/view.ts'
import { Views } from './gateway/views.ts'
import { Watchers } from './gateway/watchers.ts'
import type { HostOptions } from './host-options.ts'
import { hostTables } from './host-tables.ts'
import { Grants } from './inbox/grants.ts'
import { Inbox } from './inbox/inbox.ts'
import { Ledger } from './ledger/ledger.ts'
import { Payloads } from './ledger/payloads.ts'
import { Models } from './model/models.ts'
import { outletOf } from './policy/outlet.ts'
import { Policy, type PolicyOptions } from './policy/policy.ts'
import { Taints } from './policy/taints.ts'
import { Principals } from './principals/principals.ts'
import { Programs } from './programs/programs.ts'
import { connectOptions } from './relay/connect-options.ts'
import { OpenCalls } from './relay/open-calls.ts'
import { ServerAsks } from './relay/server-asks.ts'
import { Retention } from './retention.ts'
import { commandHash, type Launch } from './servers/launch.ts'
import type { ServerSpec } from './servers/server-spec.ts'
import { ServerTable } from './servers/server-table.ts'
import type { UpstreamStatus } from './servers/upstream.ts'
import { withdrawSignInQuestions } from './sign-in/sign-in-question.ts'
import { SignIns } from './sign-in/sign-ins.ts'
import { Spills } from './spills/spills.ts'
import { openStore, type Store } from './store/store.ts'
import { StoredTasks } from './tasks/stored-tasks.ts'
import { DefinitionQuestions } from './trust/definition-question.ts'
import { OfferWatch } from './trust/offer-watch.ts'
import { askToStart, notAccepted, serverQuestionKey, withdrawStartQuestions } from './trust/server-question.ts'
import { ServerUpdates } from './update-server.ts'

export const version = '0.1.0'
const usualMaxResultBytes = 8 * 1024 ** 2
const usualCallsPerMinute = 6_000
const usualDrainMs = 5_000
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
  readonly spills: Spills
  readonly models: Models
  readonly retention: Retention
  readonly taints: Taints
  /** Acts of one principal in any minute. */
  maxCallsPerMinute: number
  readonly servers: ServerTable
  readonly watchers: Watchers
  readonly signIns: SignIns
  readonly calls = new OpenCalls()
  readonly #options: HostOptions
  readonly #asks = new Map<string, ServerAsks>()
  readonly programs: Programs
  readonly updates: ServerUpdates
  readonly #offers: OfferWatch
  readonly #views: Views
  /** What is configured, whether it was accepted or not. */
  #specs: readonly ServerSpec[] = []
  #policy: Policy
  #policyVersion = ''
  #front: HttpFront | undefined
  #offered: Gateway | undefined
  readonly #innerClients = new InnerClients({
    front: (path) => this.#frontAt(path),
    named: (program) => this.principals.named(program),
  })

  constructor(options: HostOptions) {
    this.#options = options
    this.store = openStore({ path: join(options.folder, 'trunkline.db'), rooms: hostTables })
    this.catalogue = new Catalogue(this.store)
    this.principals = new Principals(this.store)
    this.inbox = new Inbox(this.store, options.limits, {
      record: (question, settlement) => recordDecision(this.ledger, question, settlement),
    })
    this.grants = new Grants(this.store)
    this.ledger = new Ledger(this.store)
    this.payloads = new Payloads(this.store)
    this.spills = new Spills(this.store, options.spills)
    this.models = new Models(this.store)
    this.taints = new Taints(this.store, {
      markOf: (server) => options.dataOf?.(server),
      outletOf: (act) => outletOf(act, this),
    })
    const { onError } = options
    this.retention = new Retention(this, { onError: (error) => onError?.(error, 'what is old') })
    // an open host is for tests and benchmarks, whose callers are all one principal
    this.maxCallsPerMinute = options.open ? Number.POSITIVE_INFINITY : usualCallsPerMinute
    this.#views = new Views({ servers: () => this.servers.names, only: options.only })
    this.#policy = new Policy({ rules: [] })
    this.setPolicy({ rules: options.rules ?? [] })
    this.watchers = new Watchers({ client: (server) => this.#upstream(server).client() })
    this.#offers = new OfferWatch({
      catalogue: this.catalogue,
      questions: new DefinitionQuestions(this.inbox, this.catalogue),
      client: (server) => this.#upstream(server).client(),
      isAccepted: (server) => this.isAccepted(server),
      onBadList: (server, problem) => this.#upstream(server).log.add(`${problem}\n`),
    })
    const { packageEnvironment } = options
    this.programs = new Programs(this.store, {
      folder: join(options.folder, 'programs'),
      ...(packageEnvironment && { environment: packageEnvironment }),
    })
    this.updates = new ServerUpdates({
      programs: this.programs,
      catalogue: this.catalogue,
      accepted: () => this.#specs.filter(({ name }) => this.isAccepted(name)),
      apply: () => this.servers.apply(this.#specs.map((one) => this.#startable(one))),
      learn: (server) => this.#offers.learn(server),
    })
    this.signIns = new SignIns({
      inbox: this.inbox,
      secrets: secretFile(join(options.folder, 'secrets.json')),
      holdMs: options.ask?.holdMs ?? askDefaults.holdMs,
      isUnattended: options.unattended === true,
      upstream: (server) => this.servers.get(server),
      ...(options.openPage && { openPage: options.openPage }),
    })
    this.servers = new ServerTable({
      connecting: {
        options: (spec) => this.#connecting(spec),
        whenSignedIn: (spec, signal) => this.signIns.for(spec)?.whenSignedIn(signal),
      },
      onState: (status) => this.#changed(status),
      ...(options.onLog && { onLog: options.onLog }),
    })
  }

  /** Starts listening; servers start when they are needed. */
  async start(port = this.#options.port): Promise<void> {
    await this.programs.sweep()
    await withdrawSignInQuestions(this.inbox)
    const { servers = [], open, other, linesToken, whenConfigured } = this.#options
    await this.apply(servers)
    this.retention.start()
    this.#front = await listenFront({
      ...(port !== undefined && { port }),
      ...(open && { everybody: anybody }),
      ...(other && { other }),
      ...(whenConfigured && { ready: whenConfigured }),
      ...(linesToken && { lines: { token: linesToken, named: (client) => this.principals.named(client) } }),
      byToken: (token) => this.principals.byToken(token),
      front: (path) => this.#frontAt(path),
    })
  }

  /** Offers these choices of the aggregate, each at an address of its own. */
  setProfiles(profiles: { readonly [name: string]: Profile }): void {
    this.#views.setProfiles(profiles)
  }

  /** What is offered at an address below `/mcp`; nothing for an address that is none. */
  #frontAt(path: string): Relay | undefined {
    this.#offered ??= this.#gateway()
    const found = this.#views.at(path)
    return found && this.#offered.front(path, found)
  }

  /** A client of one server within the host, as one of the person's programs. */
  clientOf(server: string, program: string): Promise<Client> {
    return this.#innerClients.of(server, program)
  }

  /** The address of the aggregate; that of one server is below it. */
  get url(): string {
    if (!this.#front) throw new Error('Cannot name the address of the host: it does not listen yet')
    return this.#front.url
  }

  /** Milliseconds since a caller last used it; 0 while one is connected for good. */
  get idleMs(): number {
    return this.#front?.idleMs ?? 0
  }

  get policy(): Policy {
    return this.#policy
  }

  /** Puts another policy in force, from the next act on. */
  setPolicy({ mode = this.#options.mode ?? 'enforce', ...options }: PolicyOptions): void {
    this.#policy = new Policy({ mode, ...options })
    this.#policyVersion = hashOf([mode, options.doubt, options.rules.map(({ effect, text }) => [effect, text])])
  }

  /** Runs exactly these servers, as far as they were accepted; a person is asked about the others. */
  async apply(specs: readonly ServerSpec[]): Promise<void> {
    this.#specs = specs
    const { unattended } = this.#options
    await withdrawStartQuestions(this.inbox, specs)
    for (const spec of specs) {
      if (spec.launch.kind === 'unresolved' || this.isAccepted(spec.name) || unattended) continue
      void this.#askToStart(spec, spec.launch).catch((error) => this.#options.onError?.(error, `server "${spec.name}"`))
    }
    await this.servers.apply(specs.map((spec) => this.#startable(spec)))
  }

  async #askToStart(spec: ServerSpec, launch: Launch): Promise<void> {
    const isAllowed = await askToStart(this.inbox, { spec, launch })
    // meanwhile it may have been configured differently
    if (isAllowed && this.#specs.includes(spec)) await this.accept(spec.name)
  }

  /** Every configured server, accepted or not. */
  get specs(): readonly ServerSpec[] {
    return this.#specs
  }

  /** Whether a person accepted a server with exactly the command that is configured now. */
  isAccepted(name: string): boolean {
    const launch = this.#specs.find((spec) => spec.name === name)?.launch
    return launch !== undefined && launch.kind !== 'unresolved' && this.catalogue.isAccepted(name, commandHash(launch))
  }

  /** Accepts a server that comes with the host; nobody has to be asked about it. */
  async trustBuiltIn({ name, launch }: ServerSpec): Promise<void> {
    if (launch.kind === 'unresolved' || this.catalogue.isAccepted(name, commandHash(launch))) return
    await this.catalogue.acceptCommand(name, commandHash(launch))
  }

  /** Accepts a server as it is configured now: starts it, and pins what it offers. Returns what the scanner stopped. */
  async accept(name: string): Promise<readonly ReviewedEntry[]> {
    const spec = this.#specs.find((one) => one.name === name)
    if (!spec) throw new Error(`Cannot accept server "${name}": no such server is configured`)
    const { launch } = spec
    if (launch.kind === 'unresolved') throw new Error(`Cannot accept server "${name}": ${launch.needs}`)
    await this.#install(name, launch)
    await this.catalogue.acceptCommand(name, commandHash(launch))
    await this.ledger.decide({ kind: 'accepted', server: name, definition: commandHash(launch), by: 'person' })
    await this.inbox.withdrawKey(serverQuestionKey(name, launch), 'the server was accepted')
    await this.servers.apply(this.#specs.map((one) => this.#startable(one)))
    await this.#offers.learn(name).catch((error: unknown) => {
      // what it offers is learned when somebody has signed in
      if (!this.signIns.page(name)) throw error
    })
    return this.catalogue.review(name).filter(({ standing }) => standing !== 'usable')
  }

  /** What a command would fetch at every start is fetched once, at the version that is accepted with it. */
  async #install(name: string, launch: Launch): Promise<void> {
    const stored = this.programs.of(name)
    if (stored?.command === commandHash(launch) && this.programs.launchOf(name, launch).kind !== 'unresolved') return
    const installed = await this.programs.install(launch)
    if (installed) await this.programs.accept(name, installed.program)
  }

  /** Asks an accepted server what it offers now. */
  learn(name: string): Promise<void> {
    return this.#offers.learn(name)
  }

  /** Ends it: no more calls are taken, those under way have a while to finish, and servers are ended. */
  async close(): Promise<void> {
    await this.calls.drain(this.#options.drainMs ?? usualDrainMs)
    // before calls are cancelled, so that a task whose work is broken off here does not count as ended
    await this.#offered?.close()
    this.signIns.close()
    this.calls.close()
    this.inbox.close()
    await this.#innerClients.close()
    await this.#front?.close()
    await this.servers.close()
    await this.retention.stop()
    await this.store.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #gateway(): Gateway {
    const { onError, tasks: limits } = this.#options
    const stacks = this.#stacks()
    return new Gateway({
      catalogue: this.catalogue,
      calls: this.calls,
      stack: stacks.servers,
      own: ownOffers(this, (does) => stacks.own(does)),
      watchers: this.watchers,
      keys: [sealingKey(this.store)],
      version,
      principalOf: (caller) => this.#principalOf(caller),
      projectOf,
      learn: (servers) => this.#offers.learnUnseen(servers),
      tasksAt: (path) => ({ ...limits, store: new StoredTasks(this.store, path) }),
      ...(onError && { onError }),
    })
  }

  #stacks(): ActStacks {
    const { record: levelOf = () => 'full' as const, limits, ask, always } = this.#options
    const { inbox, grants, ledger, payloads, catalogue, spills, taints } = this
    return actStacks({
      ...{ inbox, grants, ledger, payloads, catalogue, spills, taints, levelOf },
      policy: () => this.#policy,
      policyVersion: () => this.#policyVersion,
      commandOf: (act) => this.#commandOf(act),
      pace: { maxPerMinute: () => this.maxCallsPerMinute },
      maxResultBytes: this.#options.maxResultBytes ?? (() => usualMaxResultBytes),
      isUnattended: this.#options.unattended === true,
      ...(limits && { limits }),
      ...(ask && { ask }),
      ...(always && { always }),
      upstream: (server) => this.#upstream(server),
      asksOf: (server) => this.#asksOf(server),
    })
  }

  #sampler() {
    const { record: levelOf = () => 'full' as const, always, unattended: isUnattended = false } = this.#options
    const { models, inbox, grants, ledger, payloads } = this
    return sampler({
      ...{ models, inbox, grants, ledger, payloads, levelOf, isUnattended },
      policy: () => this.#policy,
      callerOf: ({ caller }) => ({ principal: this.#principalOf(caller), project: projectOf(caller) }),
      ...(always && { always }),
    })
  }

  #principalOf({ principal }: Caller): Principal {
    if (this.#options.open) return anybody
    const found = principal === undefined ? undefined : this.principals.byId(principal)
    if (!found) throw new Error('Cannot serve: this token is no longer valid')
    return found
  }

  #commandOf({ server }: Act): string {
    // what the host does itself has no command
    const launch = this.servers.get(server)?.spec.launch ?? { kind: 'unresolved' }
    return launch.kind === 'unresolved' ? '' : commandHash(launch)
  }

  #upstream(name: string) {
    const upstream = this.servers.get(name)
    if (!upstream) throw new Error(`Cannot find server "${name}": no such server is configured`)
    return upstream
  }

  #connecting(spec: ServerSpec) {
    const asks = this.#asksOf(spec.name)
    const auth = this.signIns.for(spec)
    return { ...(auth && { auth }), ...connectOptions(asks) }
  }

  #asksOf(server: string): ServerAsks {
    const known = this.#asks.get(server)
    if (known) return known
    const projectOf = (name: string) => this.servers.get(name)?.spec.project
    const asks = new ServerAsks(server, localAnswers({ inbox: this.inbox, sample: this.#sampler(), projectOf }))
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
    await this.#offers.follow(name)
    if (this.#upstream(name).status.starts > 1) this.watchers.renew(name)
  }

  /** A server that was not accepted is known, and says so when somebody wants to use it. */
  #startable(spec: ServerSpec): ServerSpec {
    const { launch } = spec
    if (launch.kind === 'unresolved') return spec
    if (this.isAccepted(spec.name)) return { ...spec, launch: this.programs.launchOf(spec.name, launch) }
    return { ...spec, launch: { kind: 'unresolved', needs: notAccepted(spec, launch) } }
  }
}
