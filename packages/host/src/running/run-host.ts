import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname } from 'node:path'
import { type ServerKey, serverKey, serverNameOf } from '../act/server-key.ts'
import type { AcceptCode } from '../api/accept-codes.ts'
import { ConsoleFiles } from '../api/console-files.ts'
import { chatEvent } from '../api/events.ts'
import { HttpApi } from '../api/http-api.ts'
import { LogBatches } from '../api/log-batches.ts'
import { tellEvents } from '../api/tell-events.ts'
import { Host } from '../assembly/host.ts'
import { hostChats } from '../assembly/host-chats.ts'
import type { Chats } from '../chat/chats.ts'
import { discover } from '../clients/import/discover.ts'
import { installedClients } from '../clients/install/install-record.ts'
import { Config } from '../config/config.ts'
import { Acceptances } from '../config/layers/acceptances.ts'
import type { Permits } from '../config/layers/permits.ts'
import type { Machine } from '../config/machine.ts'
import { findPlaces, type Places, thisMachine } from '../config/places.ts'
import type { ConfigProblem } from '../config/problem.ts'
import { type Secrets, secretFile } from '../config/secrets/secret-file.ts'
import { Notifier } from '../inbox/notify/notifier.ts'
import { OwnRules } from '../policy/own-rules.ts'
import type { ConfiguredSpec } from '../projects/configured-servers.ts'
import { OpenProjects } from '../projects/open-projects.ts'
import { projectRoot, type ReadProject, readProject, rootOrNone, taintMode } from '../projects/read-project.ts'
import { Workplaces } from '../projects/workplaces.ts'
import { baseEnvironment, joinPaths, loginVariables } from '../servers/program-environment.ts'
import type { UpstreamStatus } from '../servers/upstream-status.ts'
import { withdrawDefinitionQuestions } from '../trust/definition-question.ts'
import { askToAcceptFile, withdrawFileQuestions } from '../trust/file-question.ts'
import type { Lockfiles } from '../trust/lockfile/lockfiles.ts'
import { applyHostLimits } from './apply-limits.ts'
import { ConfiguredLocks } from './configured-locks.ts'
import { configureModels } from './configured-models.ts'
import { type ConfiguredState, configuredState, type ServerElsewhere } from './configured-state.ts'
import { endWhenIdle } from './end-when-idle.ts'
import { HostPresence } from './host-presence.ts'
import { listenOnKeptPort } from './kept-port.ts'
import type { RunHostOptions, RunningHost } from './run-host-types.ts'
import { runningFile } from './running-file.ts'

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
  state: ConfiguredState = { problems: [], waiting: [], servers: [], disabled: [], servedFolder: undefined, found: [] }
  readonly #options: RunHostOptions
  #machine: Machine
  readonly #console: ConsoleFiles | undefined
  #environment: { readonly [name: string]: string } = {}
  // by key, because every act looks up how its server is treated
  #entries: ReadonlyMap<ServerKey, ConfiguredSpec['entry']> = new Map()
  /** Project root of callers that name none; undefined if the host was started on demand. */
  #usualRoot: string | undefined
  #usual: ReadProject | undefined
  readonly #open: OpenProjects
  #modelProblems: readonly ConfigProblem[] = []
  readonly #presence: HostPresence
  readonly #logs = new LogBatches((event) => this.api.events.tell(event))
  readonly rules: OwnRules
  #idle: NodeJS.Timeout | undefined
  #tidying: NodeJS.Timeout | undefined
  readonly #configuredOnce: Promise<void>
  #isConfigured = (): void => {}
  /** Changes are followed one after the other. */
  #following: Promise<void> = Promise.resolve()
  readonly #locks: ConfiguredLocks
  readonly #notifier: Notifier

  constructor(options: RunHostOptions) {
    this.#options = options
    this.#machine = options.machine ?? thisMachine()
    this.#console = options.console === undefined ? undefined : new ConsoleFiles(options.console)
    this.places = findPlaces(this.#machine)
    this.secrets = secretFile(this.places.secretsFile)
    const { unattended, ask, onError, limits, projects, openPage } = options
    this.#open = new OpenProjects({
      ...projects,
      usedAt: (root) => this.host.projects.usedAt(root),
      close: async (root) => {
        this.config.forget(root)
        await this.host.closeProject(root)
      },
    })
    this.runningFile = runningFile(this.places)
    this.#configuredOnce = new Promise((resolve) => {
      this.#isConfigured = resolve
    })
    this.#presence = new HostPresence({
      places: this.places,
      everyMs: options.everyMs,
      onStateGone: () => this.#down(options.onStateGone),
      ...(onError && { onError }),
    })
    this.host = new Host({
      linesToken: this.#presence.secrets.lines,
      workplaces: new Workplaces({ home: this.#machine.home, places: this.places, config: () => this.config }),
      ...installedClients(this.places),
      whenConfigured: () => this.#configuredOnce,
      openProject: (directory) => this.#openProject(directory),
      folder: this.places.state,
      concealed: [this.places.state, this.places.config],
      packageEnvironment: () => this.#machine.environment,
      ...(unattended !== undefined && { unattended }),
      ...(ask && { ask }),
      ...(limits && { limits }),
      ...(onError && { onError }),
      ...(openPage && { openPage }),
      onState: (status) => this.#changed(status),
      onLog: (server, lines) => {
        options.onLog?.(server, lines)
        this.#logs.add(server, lines)
      },
      other: (request, response) => this.#other(request, response),
      record: (server, project) => this.#entries.get(server)?.record ?? this.#limitsOf(project)?.record ?? 'full',
      dataOf: (server) => this.#entries.get(server)?.data,
      maxResultBytes: (server, project) => this.#maxResultBytesOf(server, project),
      always: (act, scope) => this.rules.always(act, scope),
      proofScopes: (project) => this.#projectOf(project)?.config.settings.policy?.proof ?? [],
    })
    this.acceptances = new Acceptances(this.host.store)
    this.config = new Config({
      places: this.places,
      machine: this.#machine,
      ...(options.flags && { flags: options.flags }),
      ...(options.everyMs !== undefined && { everyMs: options.everyMs }),
      isAccepted: (permits) => this.acceptances.has(permits),
    })
    this.rules = new OwnRules(this.places, (file) => this.#applyFiles([file]))
    this.#locks = new ConfiguredLocks({
      host: this.host,
      config: this.config,
      configured: () => this.#configured,
      onError: (error, what) => onError?.(error, what),
    })
    this.lockfiles = this.#locks.files
    this.#notifier = new Notifier({
      ...options.notify,
      machine: this.#machine,
      // before the configuration was read nothing is shown
      settingsOf: (project) => this.#projectOf(project)?.notify ?? { desktop: false, webhook: undefined },
      console: () => new URL('/', this.host.url),
      onError: (error) => onError?.(error, 'notices'),
    })
    this.chats = hostChats(this.host, {
      onNews: (news) => this.api.events.tell(chatEvent(news)),
      whenConfigured: () => this.#configuredOnce,
    })
    const { host, config, places, secrets, acceptances, chats, lockfiles, rules } = this
    this.api = new HttpApi(
      {
        ...{ host, config, places, secrets, acceptances, chats, lockfiles, rules },
        machine: this.#machine,
        launcher: options.launcher,
        directory: options.directory,
        configured: () => this.state,
        whenConfigured: () => this.#configuredOnce,
        applyFiles: (...files) => this.#applyFiles(files),
        rootOf: async (asked) =>
          asked === undefined ? this.#usualRoot : rootOrNone(await projectRoot(asked, this.#machine.home)),
        ...(options.onAcceptCode && { showCode: (code: AcceptCode) => options.onAcceptCode?.(code) }),
        down: () => this.#down(),
      },
      { token: this.#presence.secrets.api },
    )
  }

  async start(): Promise<void> {
    const config = await this.config.effective(this.#options.directory)
    // the endpoint answers before any server is looked at
    await listenOnKeptPort(this.host, this.places, config.settings.host?.port)
    await this.#presence.begin(this.host)
    tellEvents(this.host, this.api.events)
    await this.#options.onListening?.(this)
    await this.#readLogin()
    await this.config.watchAlso(this.places.secretsFile)
    const { directory, endsWhenIdle } = this.#options
    if (!endsWhenIdle) this.#usualRoot = rootOrNone(await projectRoot(directory, this.#machine.home))
    await this.reload().finally(() => this.#isConfigured())
    // an unattended host holds no questions, so it sends no notices
    if (!this.#options.unattended) this.host.inbox.addDoor(this.#notifier)
    if (endsWhenIdle) this.#idle = this.#endWhenIdle()
    this.#tidying = setInterval(() => void this.#tidy(), this.#options.tidyMs ?? 60_000)
    this.#tidying.unref()
    this.config.onChange(() => void this.reload().catch((error) => this.#options.onError?.(error, 'configuration')))
  }

  /** Reads the variables of the person's login shell: its search path, and those that a host started on demand lacks. */
  async #readLogin(): Promise<void> {
    const machine = this.#machine
    const login = await loginVariables(machine)
    this.#environment = baseEnvironment(machine, joinPaths(login.PATH ?? '', machine.environment.PATH ?? ''))
    if (!this.#options.endsWhenIdle) return
    this.#machine = { ...machine, environment: { ...login, ...machine.environment } }
  }

  reload(): Promise<void> {
    const next = this.#following.then(() => this.#follow())
    this.#following = next.catch(() => {})
    return next
  }

  /** Puts in force what was written to configuration files. */
  async #applyFiles(files: readonly string[]): Promise<void> {
    for (const file of files) await this.config.readAgain(file)
    await this.reload()
  }

  async close(): Promise<void> {
    clearInterval(this.#idle)
    clearInterval(this.#tidying)
    this.config[Symbol.dispose]()
    await this.#following
    await this.#notifier.close()
    await this.#locks.settled()
    await this.chats.close()
    this.#logs.flush()
    this.api.events.close()
    await this.#presence.end()
    await this.host.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Reads everything anew: the settings of callers in no project, and each project that is open. */
  async #follow(): Promise<void> {
    const usual = await this.#read(this.#usualRoot)
    this.#usual = usual
    applyHostLimits(this.host, usual.config)
    this.#modelProblems = await configureModels(this.host.models, usual.config, {
      environment: this.#machine.environment,
      secrets: this.secrets,
      home: this.#machine.home,
      workspace: this.#usualRoot,
    })
    for (const root of this.#open.roots) this.#open.set(root, await this.#read(rootOrNone(root)))
    this.host.taints.mode = taintMode(usual, this.#open.all)
    const locks = await this.#locks.present()
    await this.host.setProject(undefined, usual.settings)
    for (const root of this.#open.roots) await this.#serve(root)
    await this.#tell(locks)
    await this.#forgetRemoved()
  }

  /** Serves the callers of a directory as well; tells which project it is. */
  async #openProject(directory: string): Promise<string> {
    await this.#configuredOnce
    const root = await projectRoot(directory, this.#machine.home)
    const opened = this.#following.then(async () => {
      if (this.#open.has(root)) return
      this.#open.set(root, await this.#read(rootOrNone(root)))
      const locks = await this.#locks.present()
      await this.#serve(root)
      await this.#open.tidy()
      await this.#tell(locks)
    })
    this.#following = opened.catch(() => {})
    await opened
    return root
  }

  #read(root: string | undefined): Promise<ReadProject> {
    const { host, config, secrets } = this
    return readProject(root, { host, config, secrets, machine: this.#machine, environment: this.#environment })
  }

  async #serve(root: string): Promise<void> {
    const project = this.#open.get(root)
    if (project) await this.host.setProject(root, project.settings)
  }

  get #all(): readonly ReadProject[] {
    return [...(this.#usual ? [this.#usual] : []), ...this.#open.all]
  }

  get #configured(): readonly ConfiguredSpec[] {
    const all = this.#all.flatMap(({ configured }) => configured)
    return [...new Map(all.map((one) => [one.spec.name, one])).values()]
  }

  /** Reports the configuration, and asks about the parts that wait to be accepted. */
  async #tell(locks: readonly ConfigProblem[]): Promise<void> {
    this.#entries = new Map(this.#configured.map(({ spec: { name }, entry }) => [name, entry]))
    this.state = configuredState(this.#all, {
      others: [...locks, ...this.#modelProblems],
      servers: this.host.specs.map(({ name }) => serverNameOf(name)),
      servedFolder: this.#usual?.isBare ? this.#usualRoot : undefined,
      found: this.#usual?.isBare ? await this.#found() : [],
    })
    const { waiting } = this.state
    await withdrawFileQuestions(this.host.inbox, waiting)
    if (!this.#options.unattended) for (const permits of waiting) void this.#askAboutFile(permits)
    this.#options.onConfig?.(this.state)
    this.api.events.tell({ event: 'config', problems: this.state.problems.length })
  }

  async #askAboutFile(permits: Permits): Promise<void> {
    const { host, acceptances, config } = this
    try {
      const last = acceptances.last(permits.file)
      if (!(await askToAcceptFile(host.inbox, { project: dirname(permits.file), permits, last }))) return
      await acceptances.accept(permits, Date.now())
      config.refresh()
    } catch (error) {
      this.#options.onError?.(error, permits.file)
    }
  }

  /** Closes idle projects. */
  #tidy(): Promise<void> {
    this.#following = this.#following
      .then(() => this.#open.tidy())
      .catch((error) => this.#options.onError?.(error, 'projects'))
    return this.#following
  }

  #endWhenIdle(): NodeJS.Timeout {
    const { host } = this
    const minutes = () => this.#usual?.config.settings.host?.idleMinutes
    return endWhenIdle({ ...this.#options.idle, host, minutes, end: () => this.#down() })
  }

  #changed(status: UpstreamStatus): void {
    const { name, state, why } = status
    this.#options.onState?.(status)
    this.api.events.tell({ event: 'server', name, state, why })
  }

  #other(request: IncomingMessage, response: ServerResponse): boolean {
    if (!request.url?.startsWith('/api/')) return this.#console?.serve(request, response) ?? false
    if (this.#presence.answer(request, response)) return true
    void this.api.serve(request, response)
    return true
  }

  #down(end = this.#options.onDown ?? (() => void this.close())): void {
    // after the answer has left
    setTimeout(end, 50)
  }

  async #found(): Promise<readonly ServerElsewhere[]> {
    const files = await discover(this.#machine, this.#options.directory)
    return files.flatMap(({ client, file, reading }) => reading.servers.map(({ name }) => ({ name, client, file })))
  }

  /** Deletes the data of removed servers, unless a file cannot be read and may still name them. */
  async #forgetRemoved(): Promise<void> {
    if (this.#all.some(({ config }) => config.problems.some(({ isWarning }) => !isWarning))) return
    const known = this.#all.flatMap(({ config, settings }) => [
      ...config.servers.map(({ name }) => serverKey(name)),
      ...settings.specs.map(({ name }) => name),
    ])
    const keys = new Set(known)
    await this.host.catalogue.owners.keepOnly(keys)
    await withdrawDefinitionQuestions(this.host.inbox, keys)
  }

  #maxResultBytesOf(server: ServerKey, project: string | undefined): number {
    const kb = this.#entries.get(server)?.maxResultKb
    return kb === undefined ? (this.#limitsOf(project)?.maxResultBytes ?? Number.POSITIVE_INFINITY) : kb * 1024
  }

  #limitsOf(project: string | undefined) {
    return this.host.projects.of(project).limits
  }

  /** A project as it was read; undefined before the configuration was read. */
  #projectOf(project: string | undefined): ReadProject | undefined {
    return (project === undefined ? undefined : this.#open.get(project)) ?? this.#usual
  }
}
