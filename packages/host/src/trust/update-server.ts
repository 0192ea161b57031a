import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { ServerName } from '../act/server-name.ts'
import type { Catalogue, Offered } from '../catalogue/catalogue.ts'
import { changesTo, type DefinitionChange, offeredEntries } from '../catalogue/changed-offers.ts'
import { listedExtensions, offeredBy } from '../catalogue/learn.ts'
import { scan } from '../catalogue/scan.ts'
import type { Launch } from '../servers/launch.ts'
import { openServer } from '../servers/open-server.ts'
import type { BoundPrograms } from '../servers/programs/bound-programs.ts'
import { scriptLines } from '../servers/programs/install-scripts.ts'
import type { Programs, Unpacked } from '../servers/programs/programs.ts'
import { ManagerError } from '../servers/programs/run-manager.ts'
import type { Concealed } from '../servers/sandbox/settings.ts'
import type { ServerSpec } from '../servers/server-spec.ts'
import { hashOf } from '../text/json-hash.ts'

export interface ServerUpdatesParts {
  readonly programs: Programs
  readonly bound: BoundPrograms
  readonly catalogue: Catalogue
  /** Folders that a version no person agreed to does not see. */
  readonly concealed: Concealed
  /** Every accepted server as it is configured. */
  accepted(): readonly ServerSpec[]
  /** Runs servers as they are configured and installed now. */
  apply(): Promise<void>
  /** Asks a server for its offers; rejects when it does not start. */
  learn(server: ServerKey): Promise<void>
  /** Plans that wait for a person; the oldest is forgotten, and its program removed. @default 16 */
  readonly maxPlans?: number
}

/** A server whose program has a version. */
export interface OutdatedServer {
  readonly server: ServerName
  readonly program: string
  readonly accepted: string
  /** Newest version; missing if the registry did not answer. */
  readonly available?: string
  /** Reason why the newest version is not known. */
  readonly why?: string
}

/** Changes that an update would make. */
export interface UpdatePlan {
  readonly server: ServerName
  readonly from: string
  readonly to: string
  readonly changes: DefinitionChange[]
  /** Install scripts that run once a person agrees, one line each. */
  readonly scripts: string[]
  /** Reason why it was not started, so that its changes are not known. */
  readonly unseen?: string
  /** Digest that a person agrees to: this version with these definitions. */
  readonly digest: string
}

interface Planned {
  readonly plan: UpdatePlan
  readonly unpacked: Unpacked
  /** Missing where it was not started. */
  readonly offered: Offered | undefined
}

/** A version that no person agreed to can write nothing, reach nothing, and see nothing of the host; without that it is not started. */
const confinement = { writable: [], network: false, by: 'bubblewrap', required: true } as const

/** Default number of plans that wait for a person. */
const usualPlans = 16

/** Finds newer programs, shows the changes they would make, and replaces the running ones. */
export class ServerUpdates {
  readonly #parts: ServerUpdatesParts
  readonly #plans = new Map<string, Planned>()

  constructor(parts: ServerUpdatesParts) {
    this.#parts = parts
  }

  /** Every accepted program with the newest version that its command would fetch. */
  async outdated(): Promise<readonly OutdatedServer[]> {
    const { programs, accepted } = this.#parts
    const checks = accepted().flatMap(({ name, launch }) => {
      const stored = programs.of(name)
      if (!stored || launch.kind === 'unresolved' || !programs.commandOf(launch)) return []
      const about = {
        server: serverNameOf(name),
        program: `${stored.manager}:${stored.package}`,
        accepted: stored.version,
      }
      return [availableOf(about, () => programs.available(launch))]
    })
    return Promise.all(checks)
  }

  /**
   * Unpacks the newest version beside the one that runs, asks it in a sandbox for its offers, and ends it again. Its
   * install scripts do not run, and if nothing can confine it, it is not started.
   */
  async plan(server: ServerKey): Promise<UpdatePlan> {
    const { programs, catalogue } = this.#parts
    const spec = this.#specOf(server)
    const found = spec.launch.kind === 'unresolved' ? undefined : await programs.unpack(spec.launch)
    if (!found) throw new Error(`Cannot update server "${server}": its command fetches no package`)
    const { program, scripts, launch } = found
    try {
      const { offered, unseen } = await confinedOffers(spec, launch, this.#parts.concealed)
      const changes = offered ? changesTo(server, catalogue.review(server), offered) : []
      const lines = [...scriptLines(scripts)]
      const digest = hashOf([program.version, program.integrity, lines, offered])
      const from = programs.of(server)?.version ?? 'none'
      const known = { server: serverNameOf(server), from, to: program.version, changes, scripts: lines, digest }
      const plan = { ...known, ...(unseen !== undefined && { unseen }) }
      await this.#remember(server, { plan, unpacked: found, offered })
      return plan
    } catch (error) {
      await programs.discard(program.folder)
      throw new Error(`Cannot update server "${server}" to ${program.version}: ${messageOf(error)}`, { cause: error })
    }
  }

  /** Runs the planned version from now on; when it does not start, the old one runs on. */
  async update(server: string, digest: string): Promise<UpdatePlan> {
    const { programs, bound } = this.#parts
    const planned = this.#plans.get(server)
    if (planned?.plan.digest !== digest) {
      throw new Error(`Cannot update server "${server}": nobody looked at this version yet; look at it first`)
    }
    const { plan, unpacked, offered } = planned
    const [before, binding] = [programs.of(server), bound.of(server)]
    const { launch } = this.#specOf(server)
    const program = launch.kind === 'unresolved' ? unpacked.program : await programs.runScripts(launch, unpacked)
    await this.#refuseOther(server, planned, program.path)
    await programs.accept(server, program)
    this.#plans.delete(server)
    try {
      await this.#bind(server)
      if (offered) await this.#accept(server, offered)
      await this.#parts.apply()
      await this.#parts.learn(server)
      return plan
    } catch (error) {
      if (before) await programs.accept(server, before)
      if (binding) await bound.restore(server, binding)
      await this.#parts.apply()
      throw new Error(`Cannot update server "${server}": ${messageOf(error)}; the version before runs on`, {
        cause: error,
      })
    }
  }

  /** The files of the new version are those that are accepted. */
  async #bind(server: ServerKey): Promise<void> {
    const { launch } = this.#specOf(server)
    if (launch.kind === 'unresolved') return
    const compared = await this.#parts.bound.compare(server, launch)
    if (compared) await this.#parts.bound.bind(server, launch, { fingerprint: compared.fingerprint, by: 'person' })
  }

  /** Starts it as it will run; refuses one that does not start, or has other offers than in the sandbox. */
  async #refuseOther(server: ServerKey, { plan, unpacked, offered }: Planned, path: string): Promise<void> {
    const launch = { ...unpacked.launch, command: path } as Launch
    const now = await offersOf(this.#specOf(server), launch).catch((error) => {
      throw new Error(`Cannot update server "${server}": ${messageOf(error)}; the version before runs on`, {
        cause: error,
      })
    })
    // changes by an install script could not be seen before; differences are asked about as ever
    if (!offered || unpacked.scripts.length > 0 || hashOf(now) === hashOf(offered)) return
    throw new Error(`Cannot update server "${server}" to ${plan.to}: it offers something else by now; look at it again`)
  }

  /** Accepts the definitions that the person saw, except those that the scanner stops. */
  async #accept(server: ServerKey, offered: Offered): Promise<void> {
    const { catalogue } = this.#parts
    const seen = offeredEntries(offered).filter(
      ({ definition }) => !scan(definition).some(({ weight }) => weight === 'stops'),
    )
    await catalogue.offer(server, offered)
    await catalogue.accept(server, seen)
  }

  async #remember(server: ServerKey, planned: Planned): Promise<void> {
    const { programs } = this.#parts
    const old = this.#plans.get(server)
    this.#plans.delete(server)
    this.#plans.set(server, planned)
    const [oldest] = this.#plans
    const dropped = this.#plans.size > (this.#parts.maxPlans ?? usualPlans) ? oldest : undefined
    if (dropped) this.#plans.delete(dropped[0])
    for (const one of [old, dropped?.[1]]) if (one) await programs.discard(one.unpacked.program.folder)
  }

  #specOf(server: ServerKey): ServerSpec {
    const spec = this.#parts.accepted().find(({ name }) => name === server)
    if (!spec) throw new Error(`Cannot update server "${server}": no accepted server has that name`)
    return spec
  }
}

async function availableOf(
  about: Omit<OutdatedServer, 'available' | 'why'>,
  ask: () => Promise<string | undefined>,
): Promise<OutdatedServer> {
  try {
    const available = await ask()
    return { ...about, ...(available !== undefined && { available }) }
  } catch (error) {
    const isOffline = error instanceof ManagerError && error.isOffline
    return { ...about, why: `${isOffline ? 'there is no network: ' : ''}${messageOf(error)}` }
  }
}

/** Offers of an unaccepted version, or the reason why it was not started or did not answer. */
async function confinedOffers(
  spec: ServerSpec,
  launch: Launch,
  concealed: Concealed,
): Promise<{ readonly offered?: Offered; readonly unseen?: string }> {
  try {
    return { offered: await offersOf(spec, { ...launch, sandbox: confinement } as Launch, concealed) }
  } catch (error) {
    return { unseen: messageOf(error) }
  }
}

async function offersOf(spec: ServerSpec, launch: Launch, concealed?: Concealed): Promise<Offered> {
  const silent = { options: () => ({ extensions: listedExtensions }), onStderr: () => {}, onWarning: () => {} }
  const connected = await openServer(spec, launch, { ...silent, ...(concealed && { concealed }) })
  try {
    return await offeredBy(connected.client)
  } finally {
    await connected.close()
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
