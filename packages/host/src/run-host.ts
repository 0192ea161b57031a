import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Act } from './acts/act.ts'
import { HttpApi } from './api/http-api.ts'
import type { ApiParts } from './api/parts.ts'
import { tellEvents } from './api/tell-events.ts'
import { bundledFiles } from './bundled-files.ts'
import type { Machine } from './clients/client-files.ts'
import { addRule } from './config/add-rule.ts'
import { Config } from './config/config.ts'
import type { Value } from './config/document/document.ts'
import type { EffectiveConfig } from './config/effective.ts'
import { discover } from './config/import/discover.ts'
import { Acceptances } from './config/layers/acceptances.ts'
import { findPlaces, localFile, type Places, thisMachine } from './config/places.ts'
import type { ConfigProblem } from './config/problem.ts'
import { type Secrets, secretFile } from './config/secrets/secret-file.ts'
import { type ConfiguredSpec, configuredServers } from './configured-servers.ts'
import { Host, type HostOptions, version } from './host.ts'
import { rulesFromConfig } from './policy/rules-from-config.ts'
import { forgetRunning, noteRunning, runningFile } from './running-file.ts'
import { baseEnvironment, loginPath } from './servers/program-environment.ts'
import type { UpstreamStatus } from './servers/upstream.ts'

/** How to run a host with the configuration of a person. */
export interface RunHostOptions
  extends Pick<HostOptions, 'unattended' | 'ask' | 'onState' | 'onLog' | 'onError' | 'limits'> {
  /** @default this machine */
  readonly machine?: Machine
  /** The directory it is started in: the project, and what the files server shows while nothing is configured. */
  readonly directory: string
  /** Settings of the command line, by key. */
  readonly flags?: { readonly [key: string]: Value }
  /** How often configuration files are looked at, in milliseconds. @default 250 */
  readonly everyMs?: number
  /** The configuration was read, at the start and after each change. */
  onConfig?(config: ConfiguredState): void
  /** Somebody ended the host through its API; whoever runs it closes it. @default it closes itself */
  onDown?(): void
}

/** What is configured at the moment, for people. */
export interface ConfiguredState {
  readonly problems: readonly ConfigProblem[]
  /** Project files that permit nothing until they are accepted. */
  readonly waiting: EffectiveConfig['waiting']
  readonly servers: readonly string[]
  /** What other clients have, listed while nothing is configured here. */
  readonly found: readonly ServerElsewhere[]
}

/** A server that another client has. */
export interface ServerElsewhere {
  readonly name: string
  readonly client: string
  readonly file: string
}

/** A host that follows the configuration files. */
export interface RunningHost extends AsyncDisposable {
  readonly host: Host
  readonly config: Config
  readonly places: Places
  readonly secrets: Secrets
  readonly acceptances: Acceptances
  readonly state: ConfiguredState
  readonly api: HttpApi
  /** Where clients of the API find this host: its address and token, in a file only its owner can read. */
  readonly runningFile: string
  /** Reads everything anew, as after a change. */
  reload(): Promise<void>
  close(): Promise<void>
}

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
  readonly runningFile: string
  state: ConfiguredState = { problems: [], waiting: [], servers: [], found: [] }
  readonly #options: RunHostOptions
  readonly #machine: Machine
  #environment: { readonly [name: string]: string } = {}
  #configured: readonly ConfiguredSpec[] = []
  #effective: EffectiveConfig | undefined
  readonly #token: string
  /** Changes are followed one after the other. */
  #following: Promise<void> = Promise.resolve()

  constructor(options: RunHostOptions) {
    this.#options = options
    this.#machine = options.machine ?? thisMachine()
    this.places = findPlaces(this.#machine)
    this.secrets = secretFile(this.places.secretsFile)
    const { unattended, ask, onError, limits } = options
    this.runningFile = runningFile(this.places)
    this.host = new Host({
      folder: this.places.state,
      ...(unattended !== undefined && { unattended }),
      ...(ask && { ask }),
      ...(limits && { limits }),
      ...(onError && { onError }),
      onState: (status) => this.#changed(status),
      onLog: (server, lines) => {
        options.onLog?.(server, lines)
        this.api.events.tell({ event: 'log', server, lines: [...lines] })
      },
      other: (request, response) => this.#other(request, response),
      record: (server) => this.#recordOf(server),
      always: (act) => this.#always(act),
    })
    this.acceptances = new Acceptances(this.host.store)
    this.#token = randomBytes(32).toString('base64url')
    this.api = new HttpApi(this.#parts(), { token: this.#token })
    this.config = new Config({
      places: this.places,
      machine: this.#machine,
      ...(options.flags && { flags: options.flags }),
      ...(options.everyMs !== undefined && { everyMs: options.everyMs }),
      isAccepted: (permits) => this.acceptances.has(permits),
    })
  }

  async start(): Promise<void> {
    const config = await this.config.effective(this.#options.directory)
    // the endpoint answers before any server is looked at
    await this.host.start(config.settings.host?.port)
    await noteRunning(this.places, { url: new URL('/', this.host.url).href, token: this.#token })
    tellEvents(this.host, this.api.events)
    this.#environment = baseEnvironment(this.#machine, await loginPath(this.#machine))
    await this.config.watchAlso(this.places.secretsFile)
    await this.reload()
    this.config.onChange(() => void this.reload().catch((error) => this.#options.onError?.(error, 'configuration')))
  }

  reload(): Promise<void> {
    const next = this.#following.then(() => this.#follow())
    this.#following = next.catch(() => {})
    return next
  }

  async close(): Promise<void> {
    this.config[Symbol.dispose]()
    await this.#following
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
    const { rules, problems, doubt } = rulesFromConfig(config)
    const { mode } = config.settings.policy ?? {}
    this.#effective = config
    this.#configured = configured
    this.host.setPolicy({ rules, doubt, ...(mode && { mode }) })
    for (const { spec, presentation } of configured) this.host.catalogue.present(spec.name, presentation)
    const bundled = configured.length === 0 ? bundledFiles(directory, this.#machine, this.#environment) : undefined
    const specs = bundled ? [bundled] : configured.map(({ spec }) => spec)
    await this.host.apply(specs)
    if (bundled && !this.host.isAccepted(bundled.name)) await this.host.accept(bundled.name)
    this.state = {
      problems: [...config.problems, ...problems],
      waiting: config.waiting,
      servers: specs.map(({ name }) => name),
      found: configured.length === 0 ? await this.#found() : [],
    }
    this.#options.onConfig?.(this.state)
    this.api.events.tell({ event: 'config', problems: this.state.problems.length })
  }

  #changed(status: UpstreamStatus): void {
    const { name, state, why } = status
    this.#options.onState?.(status)
    this.api.events.tell({ event: 'server', name, state, why })
  }

  #other(request: IncomingMessage, response: ServerResponse): boolean {
    if (!request.url?.startsWith('/api/')) return false
    void this.api.serve(request, response)
    return true
  }

  #parts(): ApiParts {
    const { store, catalogue, servers, inbox, grants, ledger, payloads, principals } = this.host
    return {
      version,
      store,
      catalogue,
      servers,
      inbox,
      grants,
      ledger,
      payloads,
      principals,
      mcpUrl: () => this.host.url,
      policy: () => this.host.policy,
      specs: () => this.host.specs,
      isAccepted: (server) => this.host.isAccepted(server),
      accept: async (server) => void (await this.host.accept(server)),
      configured: () => this.state,
      explainConfig: async (key) => (await this.config.effective(this.#options.directory)).explain(key),
      acceptFile: async (permits) => {
        await this.acceptances.accept(permits, Date.now())
        this.config.refresh()
      },
      down: () => this.#down(),
    }
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

  #recordOf(server: string) {
    const own = this.#configured.find(({ spec }) => spec.name === server)?.entry.record
    return own ?? this.#effective?.settings.ledger?.record ?? 'full'
  }

  /** "Always" is a rule in the person's own file, or in the one for this project. */
  async #always({ server, target, project }: Act): Promise<void> {
    const file = project === undefined ? this.places.userFile : localFile(this.places, project)
    await addRule(file, 'allow', `${server}:${target}`)
    await this.reload()
  }
}
