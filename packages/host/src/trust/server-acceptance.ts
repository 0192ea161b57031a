import { baseKey, type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { Catalogue, ReviewedEntry } from '../catalogue/catalogue.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { commandHash, type Launch } from '../servers/launch.ts'
import { acceptanceHash, type BoundPrograms, runsInWords } from '../servers/programs/bound-programs.ts'
import { InstallScriptsError, scriptLines } from '../servers/programs/install-scripts.ts'
import type { Programs, Unpacked } from '../servers/programs/programs.ts'
import { missingInWords, type ServerSpec, type Unresolved } from '../servers/server-spec.ts'
import type { Upstream } from '../servers/upstream.ts'
import type { ClientAcceptance } from './client-acceptance.ts'
import { FoundAtUpgrade } from './found-at-upgrade.ts'
import {
  askToStart,
  notAccepted,
  notAsAccepted,
  serverQuestionKey,
  type Unaccepted,
  withdrawStartQuestions,
} from './server-question.ts'

/** Description of a server for a person, before they accept it. */
export interface SeenServer {
  /** The hash of all that is accepted. */
  readonly seen: string
  /** The files that it would run, in words. */
  readonly runs: readonly string[]
  /** Differences from the accepted state, one sentence each; empty if nothing was accepted. */
  readonly differences: readonly string[]
  /** True if exactly this was accepted. */
  readonly isAccepted: boolean
}

/** Dependencies of the acceptance of servers. */
export interface AcceptanceParts {
  readonly inbox: Inbox
  readonly catalogue: Catalogue
  readonly ledger: Ledger
  readonly programs: Programs
  readonly bound: BoundPrograms
  readonly clients: ClientAcceptance
  /** True if no person can be asked. */
  readonly isUnattended: boolean
  /** A server as it is configured now, by its key. */
  spec(key: ServerKey): ServerSpec | undefined
  /** Runs servers as they were accepted by now. */
  apply(): Promise<void>
  /** Asks a server for its offers. */
  learn(key: ServerKey): Promise<void>
  upstream(key: ServerKey): Upstream | undefined
  onError?(error: unknown, what: string): void
}

/** The servers that a person accepted, each with its exact command, its files and its exact version. */
export class ServerAcceptance {
  readonly #parts: AcceptanceParts
  readonly #found: FoundAtUpgrade
  /** Set once the findings of an upgrade were listed since the host started. */
  #isListed = false
  /** Looks under way, one after the other. */
  #looking: Promise<void> = Promise.resolve()
  #isClosed = false
  /** Servers that a person accepted a moment ago; one answer may be heard more than once. */
  readonly #accepting = new Set<ServerKey>()
  /** Accepted servers that were not started, because their files differ from the accepted ones. */
  readonly #changed = new Set<ServerKey>()
  /** Servers that come with the host. */
  readonly #builtIn = new Set<ServerKey>()
  /** Accepted servers that were looked at since the host started. */
  readonly #looked = new Set<ServerKey>()

  /** Packages whose install scripts a person has not agreed to; one for each server at most. */
  readonly #unpacked = new Map<ServerKey, Unpacked>()

  constructor(parts: AcceptanceParts) {
    this.#parts = parts
    this.#found = new FoundAtUpgrade(parts)
  }

  /** True if a person accepted a server as it is configured now, and it was not found to run something else. */
  has(key: ServerKey): boolean {
    return this.#hasCommand(key) && !this.#changed.has(key)
  }

  #hasCommand(key: ServerKey): boolean {
    const launch = this.#parts.spec(key)?.launch
    if (launch === undefined || launch.kind === 'unresolved') return false
    return this.#parts.catalogue.isAccepted(key, commandHash(launch))
  }

  /** A server as it may be started; one that was not accepted fails with that reason when it is used. */
  startable(spec: ServerSpec): ServerSpec {
    const { launch } = spec
    if (launch.kind === 'unresolved') return spec
    if (this.#hasCommand(spec.name)) return { ...spec, launch: this.#parts.programs.launchOf(spec.name, launch) }
    return { ...spec, launch: notAccepted(spec, launch) }
  }

  /** Accepts a server that comes with the host, whose files are those of the host. */
  async trustBuiltIn({ name, launch }: ServerSpec): Promise<void> {
    const { catalogue } = this.#parts
    this.#builtIn.add(name)
    const hash = launch.kind === 'unresolved' ? undefined : commandHash(launch)
    if (hash && !catalogue.isAccepted(name, hash)) await catalogue.acceptCommand(name, hash)
  }

  /** Compares the files of a start with the accepted ones; differences are asked about, and the server is not started. */
  async refusalToStart({ name }: ServerSpec): Promise<Unresolved | undefined> {
    const key = baseKey(name)
    const spec = this.#parts.spec(key)
    if (spec?.launch.kind !== 'program' || this.#builtIn.has(key)) return undefined
    await this.#bindAsFound(spec, spec.launch)
    const unaccepted = await this.#look(spec, spec.launch)
    const { differences } = unaccepted
    if (differences.length === 0) {
      this.#changed.delete(key)
      return undefined
    }
    this.#changed.add(key)
    if (!this.#parts.isUnattended) this.#askSoon(unaccepted)
    return notAsAccepted(spec, differences)
  }

  /** Asks a person about the servers that were not accepted, and no longer about those that are gone. */
  async ask(specs: readonly ServerSpec[]): Promise<void> {
    await withdrawStartQuestions(this.#parts.inbox, specs)
    await this.#discardUnwanted()
    for (const key of this.#changed) if (!this.#hasCommand(key)) this.#changed.delete(key)
    for (const spec of specs) {
      if (spec.launch.kind === 'unresolved' || this.#hasCommand(spec.name) || this.#parts.isUnattended) continue
      this.#askSoon(await this.#look(spec, spec.launch))
    }
  }

  /** Looks at accepted servers that were not looked at since the host started; later each start looks. */
  lookAt(specs: readonly ServerSpec[]): Promise<void> {
    this.#looking = this.#looking
      .then(() => this.#lookAt(specs))
      .catch((error) => this.#parts.onError?.(error, 'accepted servers'))
    return this.#looking
  }

  /** Ends once nothing is looked at any more, so that the store can be closed. */
  close(): Promise<void> {
    this.#isClosed = true
    return this.#looking
  }

  async #lookAt(specs: readonly ServerSpec[]): Promise<void> {
    const fresh = specs.filter(({ name }) => this.#hasCommand(name) && !this.#looked.has(name))
    for (const { name } of fresh) this.#looked.add(name)
    for (const spec of fresh) {
      if (this.#isClosed) return
      const refusal = await this.refusalToStart(spec).catch((error) => this.#parts.onError?.(error, spec.name))
      const upstream = this.#parts.upstream(spec.name)
      if (refusal && upstream?.isConnected === false) upstream.needsYou(missingInWords(refusal))
    }
    if ((fresh.length === 0 && this.#isListed) || this.#parts.isUnattended || this.#isClosed) return
    this.#isListed = true
    await this.#found.ask()
  }

  /** The description of a server that a person would accept now. */
  async seen(key: ServerKey): Promise<SeenServer | undefined> {
    const spec = this.#parts.spec(key)
    if (!spec || spec.launch.kind === 'unresolved') return undefined
    const { seen, runs, differences } = await this.#look(spec, spec.launch)
    if (differences.length > 0) this.#changed.add(key)
    return { seen, runs, differences, isAccepted: this.has(key) }
  }

  /**
   * Accepts a server as it is now, or as a person has seen it: starts it, and pins its offers. Returns the offers that
   * the scanner stopped.
   */
  async accept(key: ServerKey, seen?: string): Promise<readonly ReviewedEntry[]> {
    const { inbox, catalogue, ledger, bound, apply, learn } = this.#parts
    const spec = this.#parts.spec(key)
    const launch = spec?.launch ?? { kind: 'unresolved', needs: 'no such server is configured' }
    const server = serverNameOf(key)
    if (!spec || launch.kind === 'unresolved') {
      throw new Error(`Cannot accept server "${server}": ${(launch as Unresolved).needs}`)
    }
    const looked = await this.#look(spec, launch)
    if (seen !== undefined && looked.seen !== seen) {
      throw new Error(`Cannot accept server "${server}": what it would run changed meanwhile; look at it again`)
    }
    await this.#install(spec, launch)
    this.#looked.add(key)
    // an accepted server that runs other files keeps its pins, so that differences of its offers are asked about
    if (looked.differences.length === 0) await catalogue.acceptCommand(key, commandHash(launch))
    const compared = await bound.compare(key, launch)
    if (compared) await bound.bind(key, launch, { fingerprint: compared.fingerprint, by: 'person' })
    this.#changed.delete(key)
    await ledger.decide({ kind: 'accepted', server, definition: commandHash(launch), by: 'person' })
    await inbox.withdrawKey(serverQuestionKey(looked), 'the server was accepted')
    await apply()
    await learn(key)
    return catalogue.review(key).filter(({ standing }) => standing !== 'usable')
  }

  async #look(spec: ServerSpec, launch: Launch): Promise<Unaccepted> {
    const compared = await this.#parts.bound.compare(spec.name, launch)
    const differences = this.#hasCommand(spec.name) ? (compared?.differences ?? []) : []
    const scripts = scriptLines(this.#unpackedFor(spec.name, launch)?.scripts ?? [])
    const runs = [...runsInWords(compared), ...scripts]
    return { spec, launch, seen: acceptanceHash(launch, compared, scripts), runs, differences }
  }

  /** Binds a server that was accepted before its files were bound to the files found. */
  async #bindAsFound({ name }: ServerSpec, launch: Launch): Promise<void> {
    const { bound } = this.#parts
    if (this.#builtIn.has(name) || bound.has(name, launch)) return
    const compared = await bound.compare(name, launch)
    // a person may have accepted it meanwhile
    if (!compared || bound.has(name, launch)) return
    await bound.bind(name, launch, { fingerprint: compared.fingerprint, by: 'found' })
  }

  #askSoon(unaccepted: Unaccepted): void {
    const { name } = unaccepted.spec
    void this.#ask(unaccepted).catch((error) => this.#parts.onError?.(error, `server "${name}"`))
  }

  async #ask(unaccepted: Unaccepted): Promise<void> {
    const { name: key } = unaccepted.spec
    const isAllowed = await askToStart(this.#parts.inbox, unaccepted)
    if (!isAllowed || this.has(key) || this.#accepting.has(key)) return
    this.#accepting.add(key)
    try {
      // meanwhile it may have been configured differently, or its files may have changed
      const spec = this.#parts.spec(key)
      if (!spec || spec.launch.kind === 'unresolved') return
      const now = await this.#look(spec, spec.launch)
      if (now.seen === unaccepted.seen) await this.accept(key, now.seen).catch(unlessScripts)
      else if (commandHash(spec.launch) === commandHash(unaccepted.launch)) this.#askSoon(now)
    } finally {
      this.#accepting.delete(key)
    }
  }

  /**
   * Installs a package that a command would fetch at every start, at the version that is accepted with it. Nothing of it runs
   * before a person has seen its install scripts.
   */
  async #install(spec: ServerSpec, launch: Launch): Promise<void> {
    const { name: key } = spec
    const { programs } = this.#parts
    const stored = programs.of(key)
    if (stored?.command === commandHash(launch) && programs.launchOf(key, launch).kind !== 'unresolved') return
    const agreed = this.#unpackedFor(key, launch)
    const unpacked = agreed ?? (await programs.unpack(launch))
    if (!unpacked) return
    if (!agreed && unpacked.scripts.length > 0) {
      this.#unpacked.set(key, unpacked)
      if (!this.#parts.isUnattended) this.#askSoon(await this.#look(spec, launch))
      throw new InstallScriptsError(serverNameOf(key), scriptLines(unpacked.scripts))
    }
    await programs.accept(key, await programs.runScripts(launch, unpacked))
    this.#unpacked.delete(key)
  }

  /** The package that was unpacked for a server and waits for its install scripts to be agreed to. */
  #unpackedFor(key: ServerKey, launch: Launch): Unpacked | undefined {
    const unpacked = this.#unpacked.get(key)
    return unpacked?.program.command === commandHash(launch) ? unpacked : undefined
  }

  /** Removes packages that waited for servers that are not configured like that any more. */
  async #discardUnwanted(): Promise<void> {
    for (const [key, { program }] of this.#unpacked) {
      const launch = this.#parts.spec(key)?.launch
      if (launch && launch.kind !== 'unresolved' && commandHash(launch) === program.command) continue
      this.#unpacked.delete(key)
      await this.#parts.programs.discard(program.folder)
    }
  }
}

/** Install scripts are asked about in a question of their own. */
function unlessScripts(error: unknown): void {
  if (!(error instanceof InstallScriptsError)) throw error
}
