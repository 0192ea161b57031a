import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Act } from './acts/act.ts'
import type { AcceptCode } from './api/accept-codes.ts'
import { ConsoleFiles } from './api/console-files.ts'
import { HttpApi } from './api/http-api.ts'
import { tellEvents } from './api/tell-events.ts'
import { apiParts } from './api-parts.ts'
import { applyLimits } from './apply-limits.ts'
import { bundledFiles } from './bundled-files.ts'
import type { Chats } from './chat/chats.ts'
import type { Machine } from './clients/client-files.ts'
import { addRule } from './config/add-rule.ts'
import { Config } from './config/config.ts'
import type { Value } from './config/document/document.ts'
import type { EffectiveConfig } from './config/effective.ts'
import { discover } from './config/import/discover.ts'
import { Acceptances } from './config/layers/acceptances.ts'
import { findPlaces, localFile, type Places, thisMachine } from './config/places.ts'
import type { ConfigProblem } from './config/problem.ts'
import { usualValue } from './config/schema/settings.ts'
import { type Secrets, secretFile } from './config/secrets/secret-file.ts'
import { type WrittenRuleChange, WrittenRules } from './config/written-rules.ts'
import { configureModels } from './configured-models.ts'
import { type ConfiguredSpec, configuredServers } from './configured-servers.ts'
import { Host } from './host.ts'
import { hostChats } from './host-chats.ts'
import type { HostOptions } from './host-options.ts'
import type { InstallOptions } from './install/plan-install.ts'
import { Lockfiles, lockProblems, tightening } from './lockfile/lockfiles.ts'
import { alwaysRule } from './policy/always-rule.ts'
import { rulesFromConfig } from './policy/rules-from-config.ts'
import { forgetRunning, noteRunning, runningFile } from './running-file.ts'
import type { ConfiguredState, RunningHost, ServerElsewhere } from './running-host.ts'
import { baseEnvironment, loginPath } from './servers/program-environment.ts'
import type { UpstreamStatus } from './servers/upstream.ts'

/** How to run a host with the configuration of a person. */
export interface RunHostOptions
  extends Pick<HostOptions, 'unattended' | 'ask' | 'onState' | 'onLog' | 'onError' | 'limits' | 'openPage'> {
  /** @default this machine */
  readonly machine?: Machine
  /** The directory it is started in: the project, and what the files server shows while nothing is configured. */
  readonly directory: string
  /** Settings of the command line, by key. */
  readonly flags?: { readonly [key: string]: Value }
  /** How often configuration files are looked at, in milliseconds. @default 250 */
  readonly everyMs?: number
  /** Whether it ends some time after the last caller has left, as a host does that nobody started by hand. @default false */
  readonly endsWhenIdle?: boolean
  /** The program and its first arguments that start the command; clients are connected with it. @default they cannot be */
  readonly launcher?: InstallOptions['launcher']
  /** The folder of the built console. @default no page is served */
  readonly console?: string
  /** It answers; servers are looked at afterwards. */
  onListening?(running: RunningHost): Promise<void> | void
  /** The configuration was read, at the start and after each change. */
  onConfig?(config: ConfiguredState): void
  /** A page wants to accept a server; the person types this code there. */
  onAcceptCode?(code: AcceptCode): void
  /** Somebody ended the host through its API; whoever runs it closes it. @default it closes itself */
  onDown?(): void
}

const usualIdleMinutes = 30
const idleCheckMs = 10_000

/** Starts a host with the configuration of a person; changes to the files take effect while it runs. */
export async function runHost(options: RunHostOptions): Promise<RunningHost> {
  const running = new ConfiguredHost(options)
  try {
    await running.start()
    return running
  } catch (error) {
    await running.close()
    throw error
  }
}

class ConfiguredHost implements RunningHost {
  readonly host: Host
  readonly config: Config
  readonly places: Places
  readonly secrets: Secrets
  readonly acceptances: Acceptances
  readonly api: HttpApi
  readonly chats: Chats
  readonly lockfiles: Lockfiles
  readonly runningFile: string
  state: ConfiguredState = { problems: [], waiting: [], servers: [], found: [] }
  readonly #options: RunHostOptions
  readonly #machine: Machine
  readonly #console: ConsoleFiles | undefined
  #environment: { readonly [name: string]: string } = {}
  #configured: readonly ConfiguredSpec[] = []
  // by name, because every act looks up how its server is treated
  #entries: ReadonlyMap<string, ConfiguredSpec['entry']> = new Map()
  #effective: EffectiveConfig | undefined
  readonly #token: string
  readonly #writtenRules: WrittenRules
  #idle: NodeJS.Timeout | undefined
  readonly #configuredOnce: Promise<void>
  #isConfigured = (): void => {}
  /** Changes are followed one after the other. */
  #following: Promise<void> = Promise.resolve()
  /** Locks are written one after the other. */
  #locking: Promise<unknown> = Promise.resolve()

  constructor(options: RunHostOptions) {
    this.#options = options
    this.#machine = options.machine ?? thisMachine()
    this.#console = options.console === undefined ? undefined : new ConsoleFiles(options.console)
    this.places = findPlaces(this.#machine)
    this.secrets = secretFile(this.places.secretsFile)
    const { unattended, ask, onError, limits, openPage } = options
    this.runningFile = runningFile(this.places)
    this.#configuredOnce = new Promise((resolve) => {
      this.#isConfigured = resolve
    })
    this.#token = randomBytes(32).toString('base64url')
    this.host = new Host({
      linesToken: this.#token,
      whenConfigured: () => this.#configuredOnce,
      folder: this.places.state,
      packageEnvironment: () => this.#machine.environment,
      ...(unattended !== undefined && { unattended }),
      ...(ask && { ask }),
      ...(limits && { limits }),
      ...(onError && { onError }),
      ...(openPage && { openPage }),
      onState: (status) => this.#changed(status),
      onLog: (server, lines) => {
        options.onLog?.(server, lines)
        this.api.events.tell({ event: 'log', server, lines: [...lines] })
      },
      other: (request, response) => this.#other(request, response),
      record: (server) => this.#recordOf(server),
      dataOf: (server) => this.#entries.get(server)?.data,
      maxResultBytes: (server) => this.#maxResultBytesOf(server),
      always: (act) => this.#always(act),
    })
    this.acceptances = new Acceptances(this.host.store)
    this.#writtenRules = new WrittenRules(join(this.places.state, 'written-rules.json'))
    this.config = new Config({
      places: this.places,
      machine: this.#machine,
      ...(options.flags && { flags: options.flags }),
      ...(options.everyMs !== undefined && { everyMs: options.everyMs }),
      isAccepted: (permits) => this.acceptances.has(permits),
    })
    this.lockfiles = new Lockfiles({
      catalogue: this.host.catalogue,
      configured: () => this.#configured.map(({ spec: { name }, entry, place }) => ({ name, entry, place })),
      isAccepted: (server) => this.host.isAccepted(server),
      programOf: (server) => this.host.programs.labelOf(server),
    })
    this.host.catalogue.onAccept((server) => this.#lock(server))
    this.chats = hostChats(this.host, (conversation, chat) => {
      this.api.events.tell({ event: 'chat', conversation, chat })
    })
    this.api = new HttpApi(
      apiParts(this, {
        directory: options.directory,
        down: () => this.#down(),
        showCode: (code) => options.onAcceptCode?.(code),
        ruleFor: (act) => this.#ruleFor(act),
        machine: this.#machine,
        launcher: options.launcher,
      }),
      { token: this.#token },
    )
  }

  async start(): Promise<void> {
    const config = await this.config.effective(this.#options.directory)
    // the endpoint answers before any server is looked at
    await this.host.start(config.settings.host?.port)
    await noteRunning(this.places, { url: new URL('/', this.host.url).href, token: this.#token })
    tellEvents(this.host, this.api.events)
    await this.#options.onListening?.(this)
    this.#environment = baseEnvironment(this.#machine, await loginPath(this.#machine))
    await this.config.watchAlso(this.places.secretsFile)
    await this.reload().finally(() => this.#isConfigured())
    if (this.#options.endsWhenIdle) this.#endWhenIdle(config.settings.host?.idleMinutes ?? usualIdleMinutes)
    this.config.onChange(() => void this.reload().catch((error) => this.#options.onError?.(error, 'configuration')))
  }

  reload(): Promise<void> {
    const next = this.#following.then(() => this.#follow())
    this.#following = next.catch(() => {})
    return next
  }

  async close(): Promise<void> {
    clearInterval(this.#idle)
    this.config[Symbol.dispose]()
    await this.#following
    await this.#locking
    await this.chats.close()
    this.api.events.close()
    await forgetRunning(this.places)
    await this.host.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #follow(): Promise<void> {
    const { directory } = this.#options
    const config = await this.config.effective(directory)
    const configured = await configuredServers(config, {
      machine: this.#machine,
      secrets: this.secrets,
      project: directory,
      environment: this.#environment,
    })
    const { rules, reviews, problems, doubt } = rulesFromConfig(config)
    const modelProblems = await configureModels(this.host.models, config, {
      environment: this.#machine.environment,
      secrets: this.secrets,
      home: this.#machine.home,
      workspace: directory,
    })
    const { mode } = config.settings.policy ?? {}
    this.#effective = config
    this.#configured = configured
    this.#entries = new Map(configured.map(({ spec: { name }, entry }) => [name, entry]))
    this.host.setPolicy({ rules, reviews, doubt, ...(mode && { mode }) })
    applyLimits(this.host, config.settings)
    this.host.taints.mode = config.settings.policy?.taint ?? 'default'
    this.host.setProfiles(config.settings.profiles ?? {})
    this.host.catalogue.isStrict = config.settings.policy?.definitions === 'strict'
    const locks = await this.#present(configured)
    const bundled = configured.length === 0 ? bundledFiles(directory, this.#machine, this.#environment) : undefined
    const specs = bundled ? [bundled] : configured.map(({ spec }) => spec)
    if (bundled) await this.host.trustBuiltIn(bundled)
    await this.host.apply(specs)
    // a file that cannot be read says nothing about what was removed
    const known = [...config.servers, ...specs].map(({ name }) => name)
    if (config.problems.length === 0) await this.host.catalogue.owners.keepOnly(new Set(known))
    this.state = {
      problems: [...config.problems, ...problems, ...locks, ...modelProblems],
      waiting: config.waiting,
      servers: specs.map(({ name }) => name),
      found: configured.length === 0 ? await this.#found() : [],
    }
    this.#options.onConfig?.(this.state)
    this.api.events.tell({ event: 'config', problems: this.state.problems.length })
  }

  /** Shows tools as the configuration and the project's lock want them; returns what is wrong with locks. */
  async #present(configured: readonly ConfiguredSpec[]): Promise<readonly ConfigProblem[]> {
    const locks = await this.lockfiles.read()
    for (const { lock, servers } of locks) {
      await this.config.watchAlso(lock.file)
      for (const server of servers) {
        const locked = tightening(lock, server)
        const { presentation = {} } = configured.find(({ spec }) => spec.name === server.name) ?? {}
        this.host.catalogue.present(server.name, { ...presentation, ...(locked && { locked }) })
      }
    }
    return lockProblems(locks)
  }

  /** What a person accepted is written down where the server is configured. */
  #lock(server: string): void {
    this.#locking = this.#locking
      .then(() => this.lockfiles.write(new Set([server])))
      .catch((error) => this.#options.onError?.(error, `lock of server "${server}"`))
  }

  #endWhenIdle(minutes: number): void {
    this.#idle = setInterval(() => {
      if (this.host.idleMs >= minutes * 60_000) this.#down()
    }, idleCheckMs)
    this.#idle.unref()
  }

  #changed(status: UpstreamStatus): void {
    const { name, state, why } = status
    this.#options.onState?.(status)
    this.api.events.tell({ event: 'server', name, state, why })
  }

  #other(request: IncomingMessage, response: ServerResponse): boolean {
    if (!request.url?.startsWith('/api/')) return this.#console?.serve(request, response) ?? false
    void this.api.serve(request, response)
    return true
  }

  #down(): void {
    const { onDown = () => void this.close() } = this.#options
    // after the answer has left
    setTimeout(onDown, 50)
  }

  async #found(): Promise<readonly ServerElsewhere[]> {
    const files = await discover(this.#machine, this.#options.directory)
    return files.flatMap(({ client, file, reading }) => reading.servers.map(({ name }) => ({ name, client, file })))
  }

  #maxResultBytesOf(server: string): number {
    const kb = this.#entries.get(server)?.maxResultKb ?? this.#effective?.settings.host?.maxResultKb
    return (kb ?? (usualValue(['host', 'maxResultKb']) as number)) * 1024
  }

  #recordOf(server: string) {
    const own = this.#entries.get(server)?.record
    return own ?? this.#effective?.settings.ledger?.record ?? 'full'
  }

  /** "Always" is a rule in the person's own file, or in the one for this project. */
  async #always(act: Act): Promise<void> {
    const rule = this.#ruleFor(act)
    if (rule) await this.writeRule('allow', rule.text, act.project)
  }

  #ruleFor(act: Parameters<typeof alwaysRule>[0] & Pick<Act, 'project'>) {
    const text = alwaysRule(act)
    const file = act.project === undefined ? this.places.userFile : localFile(this.places, act.project)
    return text === undefined ? undefined : { text, file }
  }

  async writeRule(effect: 'allow' | 'ask' | 'deny', rule: string, project?: string): Promise<string> {
    const file = project === undefined ? this.places.userFile : localFile(this.places, project)
    const change = await addRule(file, effect, rule)
    await this.#writtenRules.add({ effect, rule, at: Date.now(), change })
    await this.#rulesChanged(file)
    return file
  }

  async undoRule(): Promise<WrittenRuleChange | undefined> {
    const undone = await this.#writtenRules.undo()
    if (undone) await this.#rulesChanged(undone.change.file)
    return undone
  }

  async #rulesChanged(file: string): Promise<void> {
    await this.config.readAgain(file)
    await this.reload()
  }
}
