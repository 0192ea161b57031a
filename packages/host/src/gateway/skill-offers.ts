import { type Caller, type Fields, InvalidParams, RpcError, type ServerExtension } from '@trunkline/mcp'
import { type SkillEntry, type SkillFile, skills } from '@trunkline/mcp/skills'
import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import { skillArguments } from '../acts/skill-arguments.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Entry } from '../catalogue/entry.ts'
import { addressNaming, type OwnedResource, type ResourceOwners } from './owner.ts'
import { type View, visibleEntries } from './view.ts'

export interface SkillOfferParts {
  readonly catalogue: Catalogue
  readonly owners: ResourceOwners
  /** Learns the offers of servers that were never seen, for as long as a caller can wait. */
  learn(servers: readonly ServerKey[]): Promise<void>
}

/** A file of a skill that is read, as an act. */
export interface SkillReading {
  readonly kind: 'skill'
  readonly server: ServerKey
  /** The address of the `SKILL.md`. */
  readonly target: string
  readonly args: Fields
  readonly entry: Entry
}

/** The accepted skills of servers in a view, under addresses that tell the servers apart. */
export class SkillOffers {
  readonly #parts: SkillOfferParts

  constructor(parts: SkillOfferParts) {
    this.#parts = parts
  }

  /** True if a server of a view has skills, accepted or not. */
  has(view: View): boolean {
    return view.servers().some((server) => this.#hasSkills(server))
  }

  /** The extension as it is announced: only to callers that are offered a server with skills. */
  announced(viewOf: (caller: Caller) => View): ServerExtension {
    const settings: Settings = ({ principal, claims } = {}) => {
      // the client's information and capabilities are not known yet
      const caller = { revision: '', info: undefined, capabilities: {}, logLevel: undefined, principal, claims }
      return this.has(viewOf(caller)) ? { directoryRead: true } : undefined
    }
    return { ...skillWords, server: () => ({ settings }) }
  }

  /** Answers `skills/list`. */
  async list(view: View): Promise<Fields> {
    await this.#learnt(view, 'skills/list')
    return { skills: this.#visible(view).map((entry) => this.#shown(entry, view)), ...notReused }
  }

  /** Answers `skills/get`. */
  async get(uri: string, view: View): Promise<Fields> {
    await this.#learnt(view, 'skills/get')
    const skill = this.#visible(view)
      .map((entry) => this.#shown(entry, view))
      .find((one) => one.uri === uri)
    if (!skill) throw new RpcError(InvalidParams, `Cannot get skill "${uri}": no skill is served there`, { uri })
    return { skill, ...notReused }
  }

  /** Answers `resources/directory/read` from the accepted list of files, so that it names no other file. */
  async directory(uri: string, view: View): Promise<Fields> {
    await this.#learnt(view, 'resources/directory/read')
    const all = this.#visible(view).map((entry) => this.#shown(entry, view))
    const skill = all.find((one) => isWithin(uri, rootOf(one)))
    const files = skill && skill.resources !== 'dynamic' ? skill.resources : []
    const resources = childrenOf(uri, files)
    if (resources.length > 0) return { resources }
    const isFile = files.some((file) => file.uri === uri)
    const dynamic = skill?.resources === 'dynamic' ? 'the files of its skill are not known beforehand' : undefined
    const problem = isFile ? 'it is a file' : (dynamic ?? 'no such directory')
    throw new RpcError(InvalidParams, `Cannot read directory "${uri}": ${problem}`, { uri })
  }

  /** The skill that a resource belongs to: of nested ones the innermost, accepted or not. */
  skillOf({ server, uri }: OwnedResource): Entry | undefined {
    const around = this.#parts.catalogue
      .entries(server)
      .filter(({ kind, definition }) => kind === 'skill' && isWithin(uri, rootOf(definition as unknown as SkillEntry)))
    return around.toSorted((one, other) => other.original.length - one.original.length)[0]
  }

  /** The server of a view that has a skill's file at this address, first accepted first; for addresses never listed. */
  ownerOf(uri: string, view: View): OwnedResource | undefined {
    const servers = this.#parts.catalogue.byAcceptance(view.servers())
    return servers.map((server) => ({ server, uri })).find((owned) => this.skillOf(owned) !== undefined)
  }

  /**
   * The act of reading an address of a skill; undefined for any other resource. An address in the scheme of skills that is in
   * no list of a server with skills is that of a file that no person accepted.
   */
  reading({ server, uri }: OwnedResource): SkillReading | undefined {
    const entry = this.skillOf({ server, uri })
    if (!entry) {
      if (!uri.startsWith('skill://') || !this.#hasSkills(server)) return undefined
      throw new RpcError(-32002, `Cannot find resource "${uri}": no skill that was accepted has it`, { uri })
    }
    const skill = entry.definition as unknown as SkillEntry
    const path = uri.slice(rootOf(skill).length + 1)
    if (skill.resources !== 'dynamic' && !skill.resources.some((file) => file.uri === uri))
      throw new RpcError(-32002, `Cannot find resource "${uri}": its skill does not list it`, { uri })
    return { kind: 'skill', server, target: entry.original, args: skillArguments(entry, path), entry }
  }

  #hasSkills(server: ServerKey): boolean {
    return this.#parts.catalogue.entries(server).some(({ kind }) => kind === 'skill')
  }

  #visible(view: View): readonly Entry[] {
    return visibleEntries(view, this.#parts.catalogue, 'skill')
  }

  async #learnt(view: View, method: string): Promise<void> {
    await this.#parts.learn(view.servers())
    if (!this.has(view)) throw new RpcError(-32601, `Cannot serve "${method}": no server here has skills`)
  }

  /** A skill is shown in the form that names its server as a whole: all of its files are below one address. */
  #shown({ server, definition }: Entry, view: View): SkillEntry {
    const skill = definition as unknown as SkillEntry
    const { uri, resources } = skill
    const files = resources === 'dynamic' ? [] : resources
    const isOwn = (one: string) => this.#parts.owners.shown({ server, uri: one }, view) === one
    const tagged = view.naming === 'name' ? { _meta: { 'dev.trunkline/server': serverNameOf(server) } } : {}
    if (isOwn(uri) && files.every((file) => isOwn(file.uri))) return { ...skill, ...tagged }
    const named = (one: string) => addressNaming(server, one)
    return {
      ...skill,
      uri: named(uri),
      resources: resources === 'dynamic' ? resources : files.map((file) => ({ ...file, uri: named(file.uri) })),
      ...tagged,
    }
  }
}

type Settings = Extract<ReturnType<NonNullable<ServerExtension['server']>>['settings'], (...given: never) => unknown>

const { client: _, ...skillWords } = skills()

const notReused = { ttlMs: 0, cacheScope: 'private' } as const

/** The directory of a skill, without a slash at its end. */
function rootOf({ uri }: Pick<SkillEntry, 'uri'>): string {
  return uri.slice(0, uri.lastIndexOf('/'))
}

function isWithin(uri: string, root: string): boolean {
  return uri === root || uri.startsWith(`${root}/`)
}

/** Direct children of a directory, as resources. */
function childrenOf(directory: string, files: readonly SkillFile[]): readonly Fields[] {
  const children = new Map<string, Fields>()
  for (const file of files) {
    if (!file.uri.startsWith(`${directory}/`)) continue
    const [first = '', ...deeper] = file.uri.slice(directory.length + 1).split('/')
    const uri = `${directory}/${first}`
    const name = decodeURIComponent(first)
    const markdown = name === 'SKILL.md' && { mimeType: 'text/markdown' }
    children.set(
      uri,
      deeper.length > 0 ? { uri, name, mimeType: 'inode/directory' } : { uri, name, size: file.size, ...markdown },
    )
  }
  return [...children.values()]
}
