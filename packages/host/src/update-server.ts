import type { Catalogue, Offered } from './catalogue/catalogue.ts'
import { changesTo, type DefinitionChange, offeredEntries } from './catalogue/definition-changes.ts'
import { hashOf } from './catalogue/definition-hash.ts'
import { offeredBy } from './catalogue/learn.ts'
import { scan } from './catalogue/scan.ts'
import type { ServerName } from './config/server-name.ts'
import type { BoundPrograms } from './programs/bound-programs.ts'
import type { StoredProgram } from './programs/program-table.ts'
import type { Programs } from './programs/programs.ts'
import { ManagerError } from './programs/run-manager.ts'
import type { Launch } from './servers/launch.ts'
import { openServer } from './servers/open-server.ts'
import { type ServerKey, serverNameOf } from './servers/server-key.ts'
import type { ServerSpec } from './servers/server-spec.ts'

export interface ServerUpdatesParts {
  readonly programs: Programs
  readonly bound: BoundPrograms
  readonly catalogue: Catalogue
  /** Every accepted server as it is configured. */
  accepted(): readonly ServerSpec[]
  /** Runs servers as they are configured and installed now. */
  apply(): Promise<void>
  /** Asks a server what it offers now; rejects when it does not start. */
  learn(server: ServerKey): Promise<void>
  /** Plans that wait for a person; the oldest is forgotten, and its program removed. @default 16 */
  readonly maxPlans?: number
}

/** A server whose program has a version. */
export interface OutdatedServer {
  readonly server: ServerName
  readonly program: string
  readonly accepted: string
  /** Missing when nobody could be asked. */
  readonly available?: string
  /** Why the newest version is not known. */
  readonly why?: string
}

/** What an update would change. */
export interface UpdatePlan {
  readonly server: ServerName
  readonly from: string
  readonly to: string
  readonly changes: DefinitionChange[]
  /** What a person agrees to: this version with these definitions. */
  readonly digest: string
}

interface Planned {
  readonly plan: UpdatePlan
  readonly program: StoredProgram
  readonly launch: Launch
  readonly offered: Offered
}

/** Plans that wait for a person where nobody says otherwise. */
const usualPlans = 16

/** Looks for newer programs, shows what they would change, and puts them in the place of those that run. */
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

  /** Installs the newest version beside the one that runs, asks it what it offers, and ends it again. */
  async plan(server: ServerKey): Promise<UpdatePlan> {
    const { programs, catalogue } = this.#parts
    const spec = this.#specOf(server)
    const found = spec.launch.kind === 'unresolved' ? undefined : await programs.install(spec.launch)
    if (!found) throw new Error(`Cannot update server "${server}": its command fetches no package`)
    const { program, launch } = found
    try {
      const offered = await offersOf(spec, launch)
      const changes = changesTo(server, catalogue.review(server), offered)
      const digest = hashOf([program.version, offered])
      const from = programs.of(server)?.version ?? 'none'
      const plan = { server: serverNameOf(server), from, to: program.version, changes, digest }
      await this.#remember(server, { plan, program, launch, offered })
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
    const before = programs.of(server)
    const { plan, program, launch, offered } = planned
    if (hashOf([program.version, await this.#tried(server, launch)]) !== digest) {
      throw new Error(`Cannot update server "${server}": it offers something else by now; look at it again`)
    }
    const binding = bound.of(server)
    await programs.accept(server, program)
    this.#plans.delete(server)
    try {
      await this.#bind(server)
      await this.#accept(server, offered)
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

  async #tried(server: string, launch: Launch): Promise<Offered> {
    try {
      return await offersOf(this.#specOf(server), launch)
    } catch (error) {
      throw new Error(`Cannot update server "${server}": ${messageOf(error)}; the version before runs on`, {
        cause: error,
      })
    }
  }

  /** What the person saw is accepted, but what the scanner stops. */
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
    for (const one of [old, dropped?.[1]]) if (one) await programs.discard(one.program.folder)
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

async function offersOf(spec: ServerSpec, launch: Launch): Promise<Offered> {
  const connected = await openServer(spec, launch, { options: () => ({}), onStderr: () => {}, onWarning: () => {} })
  try {
    return await offeredBy(connected.client)
  } finally {
    await connected.close()
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
