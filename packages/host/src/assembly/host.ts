import { join } from 'node:path'
import type { Caller, Channel, Client, Fields } from '@trunkline/mcp'
import type { Relay } from '@trunkline/mcp/relay'
import type { Principal } from '../act/act.ts'
import type { ServerKey } from '../act/server-key.ts'
import type { ServerName } from '../act/server-name.ts'
import { askDefaults } from '../acts/ask-parts.ts'
import { actCounter } from '../acts/limit.ts'
import { recordKill, recordThrottle } from '../acts/record-starts.ts'
import type { ReviewedEntry } from '../catalogue/catalogue.ts'
import { secretFile } from '../config/secrets/secret-file.ts'
import { frontAt, servedPaths } from '../gateway/addresses.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { type HttpFront, listenFront } from '../gateway/http-front.ts'
import { InnerClients, type TaskClient } from '../gateway/inner-clients.ts'
import { frontTokens } from '../gateway/principals/front-tokens.ts'
import { ConnectedProcesses } from '../gateway/processes/connected-processes.ts'
import { spilledAddresses } from '../gateway/sealing-key.ts'
import type { Profile } from '../gateway/view.ts'
import { Watchers } from '../gateway/watchers.ts'
import type { WrittenRequest } from '../gateway/written-request.ts'
import { withdrawAbandoned } from '../inbox/withdraw-abandoned.ts'
import type { RecordLevel } from '../ledger/payloads.ts'
import { outletOf } from '../policy/outlet.ts'
import type { Policy, PolicyOptions } from '../policy/policy.ts'
import { marksOf } from '../policy/taint.ts'
import { Taints } from '../policy/taints.ts'
import { CallerProjects } from '../projects/caller-projects.ts'
import type { ProjectSettings } from '../projects/host-project.ts'
import { OpenCalls } from '../relay/open-calls.ts'
import { ServerExchanges } from '../relay/server-exchanges.ts'
import { endLeftovers, type Leftover } from '../servers/leftovers.ts'
import { ProcessRecord } from '../servers/process-record.ts'
import { ServerInstances } from '../servers/server-instances.ts'
import type { ServerSpec } from '../servers/server-spec.ts'
import { ServerTable } from '../servers/server-table.ts'
import { SignIns } from '../servers/sign-in/sign-ins.ts'
import type { UpstreamStatus } from '../servers/upstream-status.ts'
import { DefinitionQuestions } from '../trust/definition-question.ts'
import { OfferWatch } from '../trust/offer-watch.ts'
import { ServerAcceptance } from '../trust/server-acceptance.ts'
import { ServerUpdates } from '../trust/update-server.ts'
import { hostAnswers } from './host-answers.ts'
import { hostGateway } from './host-gateway.ts'
import { concealedBy, type HostOptions } from './host-options.ts'
import { HostServices } from './host-services.ts'

const usualCallsPerMinute = 6_000
const usualDrainMs = 5_000
const anybody: Principal = { id: 'anybody', name: 'anybody', isApprover: false }

/** The host: many servers under one policy, behind one endpoint, with a person in control. */
export class Host extends HostServices implements AsyncDisposable {
  readonly taints: Taints
  readonly connections: ConnectedProcesses
  /** Acts of one principal in any minute. */
  maxCallsPerMinute: number
  /** Counts the acts of principals, and refuses those that come too fast. */
  readonly countAct = actCounter({ maxPerMinute: (act) => this.projects.paceOf(act, this.maxCallsPerMinute) })
  readonly projects: CallerProjects
  readonly servers: ServerTable
  readonly watchers = new Watchers()
  readonly signIns: SignIns
  readonly calls = new OpenCalls()
  /** Processes of servers that an earlier host left behind, ended when this one started. */
  leftovers: readonly Leftover[] = []
  readonly #options: HostOptions
  readonly #instances = new ServerInstances({
    servers: () => this.servers,
    principalOf: (caller) => this.#principalOf(caller),
    projectOf: (caller) => this.projects.projectOf(caller),
  })
  readonly #exchanges: ServerExchanges
  readonly #processRecord: ProcessRecord
  readonly updates: ServerUpdates
  readonly #offers: OfferWatch
  /** Specs of all configured servers, accepted or not. */
  #specs: ReadonlyMap<ServerKey, ServerSpec> = new Map()
  readonly acceptance: ServerAcceptance
  #front: HttpFront | undefined
  #offered: Gateway | undefined
  readonly #innerClients = new InnerClients({
    front: (path) => this.#frontAt(path),
    principals: () => this.principals,
  })

  constructor(options: HostOptions) {
    super(options)
    this.#options = options
    this.connections = new ConnectedProcesses(this.store, this, options.workplaces)
    const markOf = (server: ServerKey) => marksOf(options.dataOf?.(server))
    this.taints = new Taints(this.store, { markOf, outletOf: (act, entry) => outletOf(act, entry, this) })
    const { onError, unattended: isUnattended = false } = options
    // an open host is for tests and benchmarks, whose callers are all one principal
    this.maxCallsPerMinute = options.open ? Number.POSITIVE_INFINITY : usualCallsPerMinute
    this.projects = new CallerProjects({ open: options.openProject, whenConfigured: options.whenConfigured })
    this.setPolicy({ rules: options.rules ?? [] })
    this.#offers = new OfferWatch({
      catalogue: this.catalogue,
      questions: new DefinitionQuestions(this.inbox, this.catalogue),
      client: (server) => this.#instances.server(server).client(),
      isAccepted: (server) => this.isAccepted(server),
      announcing: (server) => this.watchers.announcing(server),
      onBadList: (server, problem) => this.#instances.server(server).warned(problem),
    })
    this.acceptance = new ServerAcceptance({
      ...{ inbox: this.inbox, catalogue: this.catalogue, ledger: this.ledger, programs: this.programs },
      ...{ bound: this.bound, clients: this.clients, isUnattended },
      spec: (key) => this.#specs.get(key),
      upstream: (key) => this.servers.get(key),
      apply: () => this.#run(),
      learn: (key) =>
        this.#offers.learn(key).catch((error: unknown) => {
          // its offers are read after the sign-in
          if (!this.signIns.page(key)) throw error
        }),
      ...(onError && { onError }),
    })
    this.updates = new ServerUpdates({
      ...{ programs: this.programs, bound: this.bound, catalogue: this.catalogue, concealed: concealedBy(options) },
      accepted: () => this.specs.filter(({ name }) => this.isAccepted(name)),
      apply: () => this.#run(),
      learn: (server) => this.#offers.learn(server),
    })
    this.signIns = new SignIns({
      inbox: this.inbox,
      secrets: secretFile(join(options.folder, 'secrets.json')),
      holdMs: options.ask?.holdMs ?? askDefaults.holdMs,
      isUnattended,
      upstream: (server) => this.servers.get(server),
      ...(options.openPage && { openPage: options.openPage }),
    })
    const answers = hostAnswers(this, options, (caller) => this.#principalOf(caller))
    this.#exchanges = new ServerExchanges(answers, spilledAddresses(this.store))
    this.#processRecord = new ProcessRecord(options.folder, () => this.servers.pids)
    this.servers = new ServerTable({
      connecting: {
        options: (spec) => this.#connecting(spec),
        concealed: concealedBy(options),
        whenSignedIn: (spec, signal) => this.signIns.for(spec)?.whenSignedIn(signal),
        refusalToStart: (spec) => this.acceptance.refusalToStart(spec),
      },
      ...{ isWatched: (server) => this.watchers.has(server), onState: (status) => this.#changed(status) },
      onGone: (server) => {
        for (const kept of [this.#exchanges, this.wire]) kept.forget(server)
        if (!this.#specs.has(server)) this.signIns.forget(server)
      },
      ...(options.onLog && { onLog: options.onLog }),
      onThrottled: (server, why) => recordThrottle(this.ledger, server, why),
    })
  }

  /** Starts listening; servers start when they are needed. */
  async start(port = this.#options.port): Promise<void> {
    this.leftovers = await endLeftovers(this.#options.folder)
    await this.programs.sweep()
    await withdrawAbandoned(this.inbox)
    if (this.ledger.wasKilled) recordKill(this.ledger)
    const { servers, open, other, linesToken, whenConfigured } = this.#options
    // before the configuration was read it is not known which questions about servers are out of date
    if (servers) await this.apply(servers)
    this.retention.start()
    this.#front = await listenFront({
      ...(port !== undefined && { port }),
      ...{ ...(open && { everybody: anybody }), ...(other && { other }) },
      ...frontTokens(this.principals, this.clients, linesToken),
      ready: async (project) => {
        await whenConfigured?.()
        if (project !== undefined) await this.projects.open(project)
      },
      ...{ wire: this.wire, connections: this.connections, front: (path) => this.#frontAt(path) },
      addresses: () => servedPaths(this.servers.status.map(({ name }) => name)),
    })
    this.proof.pageOrigin = this.#front.localhost
  }

  /** Offers these choices of the aggregate to callers in no project, each at an address of its own. */
  setProfiles(profiles: { readonly [name: string]: Profile }): void {
    this.projects.usual.setProfiles(profiles)
  }

  /** The relay at an address below `/mcp`; undefined for an unknown address. */
  #frontAt(path: string): Relay | undefined {
    this.#offered ??= this.#gateway()
    return frontAt(path, {
      ...{ gateway: this.#offered, only: this.#options.only },
      hasServer: (name) => this.projects.hasServer(name),
      hasProfile: (name) => this.projects.hasProfile(name),
      infoOf: (name) => this.servers.get(name)?.connection?.server,
    })
  }

  /** A client of one server within the host, as one of the person's programs. */
  clientOf(server: ServerName, program: string): Promise<Client> {
    return this.#innerClients.of(server, program)
  }

  /** The same, for tools that run as tasks. */
  taskClientOf(server: ServerName, program: string): Promise<TaskClient> {
    return this.#innerClients.withTasks(server, program)
  }

  /** The request with which a client calls a tool of a server over HTTP; nothing is called. */
  writtenCall(server: ServerName, program: string, tool: string, args: Fields): Promise<WrittenRequest> {
    const url = `${this.url}/server/${server}`
    return this.#innerClients.written(server, program, { url, tool, arguments: args })
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

  /** Policy for callers in no project. */
  get policy(): Policy {
    return this.projects.usual.policy
  }

  /** Puts another policy in force for callers in no project, from the next act on. */
  setPolicy(options: PolicyOptions): void {
    this.projects.usual.setPolicy({ mode: this.#options.mode ?? 'enforce', ...options })
  }

  /** Offers exactly these servers to callers in no project, as far as they were accepted. */
  async apply(specs: readonly ServerSpec[]): Promise<void> {
    this.projects.usual.setServers(specs)
    await this.#applySpecs()
  }

  /** Puts the settings of a project in force; '' is for callers in none, undefined for those that name none. */
  async setProject(root: string | undefined, settings: ProjectSettings): Promise<void> {
    const project = this.projects.project(root)
    const before = project.roots?.join('\n')
    project.set(settings, this.#options.mode)
    if (project.roots?.join('\n') !== before) this.servers.tellRootsChanged()
    await this.#applySpecs()
  }

  /** Serves a project no longer; its servers end. */
  async closeProject(root: string): Promise<void> {
    this.projects.remove(root)
    await this.#applySpecs()
  }

  /** Runs the servers of every project; a person is asked about those that were not accepted. */
  async #applySpecs(): Promise<void> {
    const { specs } = this.projects
    this.#specs = new Map(specs.map((spec) => [spec.name, spec]))
    await this.acceptance.ask(specs)
    await this.#run()
    void this.acceptance.lookAt(specs)
  }

  /** Every configured server, accepted or not. */
  get specs(): readonly ServerSpec[] {
    return [...this.#specs.values()]
  }

  /** The key of a server by its name, where only one project has a server of that name. */
  keyOf(name: ServerName | ServerKey): ServerKey {
    return this.projects.keyOf(name)
  }

  /** Recording level of the messages to and from a server. */
  recordLevelOf(key: ServerKey): RecordLevel {
    return this.#options.record?.(key, this.#specs.get(key)?.project) ?? 'full'
  }

  /** True if a person accepted a server as it is configured now, and it was not found to run something else. */
  isAccepted(name: ServerKey): boolean {
    return this.acceptance.has(name)
  }

  /** Accepts a server as it is now, or as a person has seen it. Returns the offers that the scanner stopped. */
  accept(server: ServerName | ServerKey, seen?: string): Promise<readonly ReviewedEntry[]> {
    return this.acceptance.accept(this.keyOf(server), seen)
  }

  #run(): Promise<void> {
    return this.servers.apply(this.specs.map((spec) => this.acceptance.startable(spec)))
  }

  /** Asks an accepted server for its offers. */
  learn(name: ServerKey): Promise<void> {
    return this.#offers.learn(name)
  }

  /** Ends it: no more calls are taken, those under way have a while to finish, and servers are ended. */
  async close(): Promise<void> {
    await this.calls.drain(this.#options.drainMs ?? usualDrainMs)
    // before calls are cancelled, so that a task whose work is broken off here does not count as ended
    await this.#offered?.close()
    for (const part of [this.signIns, this.calls, this.inbox]) part.close()
    for (const part of [this.#innerClients, this.#front, this.servers, this.#processRecord, this.acceptance])
      await part?.close()
    await this.retention.stop()
    await this.searchIndex.close()
    await this.ledger.close()
    await this.store.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #gateway(): Gateway {
    return hostGateway(this, this.#options, {
      principalOf: (caller) => this.#principalOf(caller),
      commandOf: (act) => this.#instances.commandOf(act),
      upstream: (act) => this.#instances.forAct(act),
      callsAt: (server) => this.#exchanges.callsAt(server),
      learn: (servers) => this.#offers.learnUnseen(servers),
      instanceOf: (server, caller) => this.#instances.forCaller(server, caller),
    })
  }

  #principalOf({ principal }: Caller): Principal {
    if (this.#options.open) return anybody
    const found = principal === undefined ? undefined : this.clients.byId(principal)
    if (!found) throw new Error('Cannot serve: this token is no longer valid')
    return found
  }

  #connecting(spec: ServerSpec) {
    const auth = this.signIns.for(spec)
    const through = (channel: Channel) => this.wire.channel(spec.name, channel)
    return { ...(auth && { auth }), ...this.#exchanges.connecting(spec.name), through }
  }

  /** Learns the offers of a server that came up, and listens to it for as long as it runs. */
  #changed(status: UpstreamStatus): void {
    this.states.add(status)
    this.#noteFailure(status)
    this.#options.onState?.(status)
    if (status.state !== 'ready') return
    this.#processRecord.serverStarted()
    const { name } = status
    this.wire.log.apart(() =>
      queueMicrotask(
        () => void this.#listen(name).catch((error) => this.#options.onError?.(error, `server "${name}"`)),
      ),
    )
  }

  /** Remembers a failure over a restart, after which nothing is known of a server but that it was not started. */
  #noteFailure({ name, state, why, since: at, starts }: UpstreamStatus): void {
    const isFailure = state === 'failing' || (state === 'needs you' && starts > 0)
    if (!isFailure && state !== 'ready') return
    this.catalogue
      .noteFailure(name, isFailure ? { why, at } : undefined)
      .catch((error) => this.#options.onError?.(error, `server "${name}"`))
  }

  async #listen(name: ServerKey): Promise<void> {
    const client = this.servers.find(name)?.connection
    if (!client) return
    if (this.#specs.has(name)) await this.#offers.follow(name)
    // a copy for one caller has the offers of the server itself; only its resources are its own
    else if (client.capabilities.resources) {
      await client.watch({ resources: true }, this.watchers.announcing(name))
    }
    this.watchers.renew(name, client)
  }
}
