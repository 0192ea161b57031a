import { canonicalJson, type Fields } from '@trunkline/mcp'
import type { ToolClass } from '../act/act.ts'
import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { Store } from '../store/store.ts'
import type { ServerFailure } from '../store/tables/accepted-server-table.ts'
import { DefinitionTable, type StoredDefinition } from '../store/tables/definition-table.ts'
import { AcceptedServers } from './accepted-servers.ts'
import { proposedClass } from './classify.ts'
import { definitionHash } from './definition-hash.ts'
import { tightened } from './effects.ts'
import type { Entry } from './entry.ts'
import { aggregateName } from './names.ts'
import { type Finding, scan } from './scan.ts'
import { type Naming, ServerEntries } from './server-entries.ts'
import { standingOf } from './standing.ts'
import { isLocked, presented, stricter, type ToolSettings } from './tool-settings.ts'
import { UriOwners } from './uri-owners.ts'

/** Current offers of a server, by its own names. */
export interface Offered {
  readonly tools: readonly Fields[]
  readonly prompts: readonly Fields[]
  readonly templates: readonly Fields[]
  /** Its skills, each by the address of its `SKILL.md`. @default none */
  readonly skills?: readonly Fields[]
  /** Its instructions for models. */
  readonly instructions?: string | undefined
  /** True if it has resources at all. @default it is not known */
  readonly hasResources?: boolean
}

/** An entry for the person who decides about it. */
export interface ReviewedEntry extends Entry {
  /** The current definition of the server, if it differs from the accepted one. */
  readonly offered: Fields | undefined
  readonly offeredHash: string | undefined
  /** The class that it has when it is accepted. */
  readonly proposed: ToolClass
  readonly findings: readonly Finding[]
}

/** A definition that a person accepted. */
export type AcceptedEntry = Pick<Entry, 'kind' | 'original' | 'hash' | 'class'>

/** Receives the server whose entries changed, and of which kinds. */
export type OnCatalogueChange = (server: ServerKey, which: ReadonlySet<Entry['kind']>) => void

/** Definitions of one server; a server that offers more keeps the first. */
const maxDefinitions = 10_000

const kinds = ['tool', 'prompt', 'template', 'instructions', 'skill'] as const

/** The offers of servers: every definition as the person accepted it, from the store, even if its server is not running. */
export class Catalogue {
  /** The server of each address and template. */
  readonly owners: UriOwners
  readonly #store: Store
  readonly #table: DefinitionTable
  readonly #servers: AcceptedServers
  // read once per server and change
  readonly #entries = new Map<ServerKey, ServerEntries>()
  readonly #toolSettings = new Map<ServerKey, ToolSettings>()
  readonly #listeners = new Set<OnCatalogueChange>()
  readonly #acceptListeners = new Set<(server: ServerKey) => void>()

  constructor(store: Store) {
    this.#store = store
    this.#table = new DefinitionTable(store)
    this.#servers = new AcceptedServers(store)
    this.owners = new UriOwners(store)
  }

  /** Calls back when entries of a server changed, until the returned function is called. */
  onChange(listener: OnCatalogueChange): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls back when a person decided about definitions of a server, until the returned function is called. */
  onAccept(listener: (server: ServerKey) => void): () => void {
    this.#acceptListeners.add(listener)
    return () => this.#acceptListeners.delete(listener)
  }

  /** Every definition of a server that was accepted, as it was accepted. */
  accepted(server: ServerKey): readonly AcceptedEntry[] {
    return this.#table.of(server).flatMap((stored) => {
      const { kind, original, acceptedHash: hash } = stored
      return hash === undefined ? [] : [{ kind, original, hash, class: this.#entryOf(server, stored).class }]
    })
  }

  /** Every entry of a server, usable or not. */
  entries(server: ServerKey): readonly Entry[] {
    return this.#entriesOf(server).all
  }

  /** One entry of a server by one of its names, which is the server's own unless another is meant. */
  find(server: ServerKey, kind: Entry['kind'], name: string, naming: Naming = 'original'): Entry | undefined {
    return this.#entriesOf(server).find(kind, naming, name)
  }

  /** Shows the tools of a server as the person wants them, from now on. */
  present(server: ServerKey, toolSettings: ToolSettings): void {
    const before = this.#toolSettings.get(server) ?? {}
    if (canonicalJson(before) === canonicalJson(toolSettings)) return
    this.#toolSettings.set(server, toolSettings)
    this.#changed(server)
  }

  /** Every entry, for the person who decides about it. */
  review(server: ServerKey): readonly ReviewedEntry[] {
    return this.#table.of(server).map((stored) => {
      const shown = stored.offered ?? stored.accepted ?? {}
      const changed = stored.acceptedHash === stored.offeredHash ? undefined : stored.offered
      return {
        ...this.#entryOf(server, stored),
        offered: changed,
        offeredHash: stored.offeredHash,
        proposed: acceptedClass(stored),
        findings: scan(shown),
      }
    })
  }

  /** These servers, first accepted first. */
  byAcceptance(servers: readonly ServerKey[]): readonly ServerKey[] {
    return this.#servers.inOrder(servers)
  }

  /** The servers among these that may have resources, first accepted first: the earlier one owns a shared address. */
  withResources(servers: readonly ServerKey[]): readonly ServerKey[] {
    return this.byAcceptance(servers.filter((server) => this.hasResources(server) !== false))
  }

  /** True if a person accepted this server with this command. */
  isAccepted(server: ServerKey, command: string): boolean {
    return this.#servers.has(server, command)
  }

  /** Time when a server was accepted first; undefined for one that is not accepted. */
  acceptedAt(server: ServerKey): number | undefined {
    return this.#servers.acceptedAt(server)
  }

  /** Last failure of a server, also of one before the host was restarted; undefined if it has been ready since. */
  failure(server: ServerKey): ServerFailure | undefined {
    return this.#servers.failure(server)
  }

  /** Remembers that a server failed, or that it is ready again. */
  async noteFailure(server: ServerKey, failure: ServerFailure | undefined): Promise<void> {
    const known = this.failure(server)
    if (known?.why === failure?.why) return
    await this.#store.batch(() => this.#servers.noteFailure(server, failure))
  }

  /** True if a server has resources; undefined while it was not asked. */
  hasResources(server: ServerKey): boolean | undefined {
    return this.#servers.hasResources(server)
  }

  /**
   * Stores the current offers of a server. An empty list never replaces accepted offers: servers that fail answer with
   * one.
   */
  async offer(server: ServerKey, offered: Offered): Promise<void> {
    const { tools, prompts, templates, skills = [], hasResources } = offered
    const said = instructionsAsList(offered.instructions)
    const lists = { tool: tools, prompt: prompts, template: templates, instructions: said, skill: skills } as const
    const before = this.#table.of(server)
    const changed = new Set<Entry['kind']>()
    await this.#store.batch(() => {
      for (const kind of kinds) {
        const had = before.filter((stored) => stored.kind === kind)
        const now = lists[kind].slice(0, maxDefinitions)
        const isList = kind !== 'instructions'
        if (isList && now.length === 0 && had.some(({ accepted }) => accepted)) continue
        if (this.#offerKind([server, kind], now, had)) changed.add(kind)
      }
      if (hasResources !== undefined && hasResources !== this.hasResources(server)) {
        this.#servers.noteResources(server, hasResources)
      }
    })
    if (changed.size > 0) this.#changed(server, changed)
  }

  /** Stores the differences from the earlier offers; true if there are any. */
  #offerKind(
    [server, kind]: readonly [ServerKey, Entry['kind']],
    now: readonly Fields[],
    had: readonly StoredDefinition[],
  ): boolean {
    const before = new Map(had.map((stored) => [stored.original, stored]))
    // of two with the same name the last one counts
    const offered = new Map(now.map((definition) => [nameOf(kind, definition), definition]))
    const fresh = [...offered].filter(([name, one]) => !isSame(one, before.get(name)?.offered))
    for (const [name, one] of fresh) this.#table.offer([server, kind, name], one, definitionHash(one))
    const gone = had.filter((stored) => stored.offered && !offered.has(stored.original))
    for (const { original } of gone) this.#table.withdraw([server, kind, original])
    return fresh.length > 0 || gone.length > 0
  }

  /** True if the first complete list of a server was accepted. */
  isPinned(server: ServerKey): boolean {
    return this.#servers.isPinned(server)
  }

  /** Accepts the command of a server; its offers are accepted with its first complete list. */
  async acceptCommand(server: ServerKey, command: string): Promise<void> {
    await this.#store.durable(() => this.#servers.accept(server, command))
    this.#changed(server)
  }

  /** Has a server accepted anew before it is started again; what is pinned of it stays. */
  async withdrawAcceptance(server: ServerKey): Promise<void> {
    await this.#store.durable(() => this.#servers.withdraw(server))
    this.#changed(server)
  }

  /** Copies the acceptances of another server, which is the same except for the settings of its tools. */
  async inherit(server: ServerKey, from: ServerKey): Promise<void> {
    await this.#store.durable(() => {
      this.#servers.inherit(server, from)
      this.#table.copy(server, from)
    })
    this.#changed(server)
  }

  /** Accepts all offers of a server except those that the scanner or a lock stopped, which it returns. */
  async pin(server: ServerKey): Promise<readonly ReviewedEntry[]> {
    const reviewed = this.review(server)
    const locked = this.#toolSettings.get(server)?.locked
    const stopped = reviewed.filter(
      (entry) => entry.findings.some(({ weight }) => weight === 'stops') || !isLocked(locked, entry, entry.offeredHash),
    )
    await this.#store.durable(() => {
      this.#servers.pin(server)
      this.#accept(
        server,
        reviewed.filter((entry) => !stopped.includes(entry)),
      )
    })
    this.#decided(server)
    return stopped
  }

  /** Accepts definitions as they are offered now. */
  async accept(server: ServerKey, which: readonly Pick<Entry, 'kind' | 'original'>[]): Promise<void> {
    await this.#store.durable(() => this.#accept(server, which))
    this.#decided(server)
  }

  /** Keeps the class a person decided on. */
  async classify(server: ServerKey, original: string, decided: ToolClass): Promise<void> {
    await this.#store.durable(() => this.#table.classify([server, 'tool', original], decided))
    this.#decided(server)
  }

  async hide(server: ServerKey, kind: Entry['kind'], original: string, isHidden: boolean): Promise<void> {
    await this.#store.durable(() => this.#table.hide([server, kind, original], isHidden))
    this.#changed(server)
  }

  /** Forgets a server with all that was accepted of it. */
  async remove(server: ServerKey): Promise<void> {
    await this.#store.durable(() => {
      this.#table.removeServer(server)
      this.#servers.remove(server)
    })
    this.#changed(server)
  }

  #entriesOf(server: ServerKey): ServerEntries {
    const known = this.#entries.get(server)
    if (known) return known
    const entries = new ServerEntries(this.#table.of(server).map((stored) => this.#entryOf(server, stored)))
    this.#entries.set(server, entries)
    return entries
  }

  #entryOf(server: ServerKey, stored: StoredDefinition): Entry {
    return presented(entryOf(server, stored), this.#toolSettings.get(server) ?? {})
  }

  #accept(server: ServerKey, which: readonly Pick<Entry, 'kind' | 'original'>[]): void {
    const wanted = new Set(which.map(({ kind, original }) => `${kind} ${original}`))
    for (const stored of this.#table.of(server)) {
      const { kind, original } = stored
      if (wanted.has(`${kind} ${original}`)) this.#table.accept([server, kind, original], acceptedClass(stored))
    }
  }

  #decided(server: ServerKey): void {
    this.#changed(server)
    for (const listener of this.#acceptListeners) listener(server)
  }

  #changed(server: ServerKey, which: ReadonlySet<Entry['kind']> = new Set(kinds)): void {
    this.#entries.delete(server)
    for (const listener of this.#listeners) listener(server, which)
  }
}

function entryOf(server: ServerKey, stored: StoredDefinition): Entry {
  const { kind, original, accepted, acceptedHash, offered, offeredHash } = stored
  return {
    kind,
    name: kind === 'tool' || kind === 'prompt' ? aggregateName(serverNameOf(server), original) : original,
    server,
    original,
    shown: original,
    definition: accepted ?? offered ?? {},
    hash: acceptedHash ?? offeredHash ?? '',
    class: stored.class ?? proposedOf(stored),
    ...standingOf(stored),
  }
}

/** The class of a tool once it is accepted: as it was decided, or stricter where its definition has become more harmful since. */
function acceptedClass(stored: StoredDefinition): ToolClass {
  const { class: decided, accepted, offered } = stored
  const proposed = proposedOf(stored)
  if (decided === undefined || !accepted || !offered) return decided ?? proposed
  const before = proposedOf({ ...stored, offered: undefined })
  return stricter(before, proposed) === before ? decided : stricter(decided, proposed)
}

function proposedOf({ kind, original, offered, accepted }: StoredDefinition): ToolClass {
  if (kind !== 'tool') return 'reads'
  const definition = offered ?? accepted ?? {}
  return tightened(proposedClass(original, definition.annotations as Fields | undefined), definition)
}

/** The instructions of a server as a list of definitions, so that they are accepted and compared like any other. */
export function instructionsAsList(text: string | undefined): readonly Fields[] {
  return text === undefined || text.trim() === '' ? [] : [{ name: 'instructions', text }]
}

function isSame(one: Fields, other: Fields | undefined): boolean {
  return other !== undefined && canonicalJson(one) === canonicalJson(other)
}

/** The name that a server's definition is kept under: that of a skill or template is its address. */
export function nameOf(kind: Entry['kind'], { name, uriTemplate, uri }: Fields): string {
  return String(kind === 'template' ? uriTemplate : kind === 'skill' ? uri : name)
}
