import { type Fields, InvalidParams, RpcError } from '@trunkline/mcp'
import type { RelayRequest } from '@trunkline/mcp/relay'
import type { ActKind } from '../act/act.ts'
import { Refused } from '../act/refused.ts'
import type { ServerKey } from '../act/server-key.ts'
import type { ActHandler } from '../acts/doing.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Entry } from '../catalogue/entry.ts'
import type { SpilledAddresses } from '../relay/terms/spilled-address.ts'
import { type OwnOffers, ownServer } from './own-offers.ts'
import type { OwnedResource, ResourceOwners } from './owner.ts'
import type { ResourceSearch } from './resource-search.ts'
import { withShownLinks } from './shown-links.ts'
import type { SkillOffers } from './skill-offers.ts'
import { entryNamed, type View, visibleEntries } from './view.ts'

/** Act that a request stands for. */
export interface Wanted {
  readonly kind: ActKind
  readonly server: ServerKey
  readonly target: string
  readonly args: Fields
  readonly params: Fields
  readonly entry?: Entry
  /** Handler of the act. @default the server, through the whole stack */
  readonly by?: ActHandler
  /** True if the name is unknown. @default false */
  readonly isUnknown?: boolean
}

export interface TargetParts {
  readonly catalogue: Catalogue
  readonly owners: ResourceOwners
  readonly own: OwnOffers
  readonly search: ResourceSearch
  readonly skills: SkillOffers
  readonly spilled: SpilledAddresses
  /** The stack of acts, to the server and back. */
  readonly stack: ActHandler
  /** Limits and records a call of something that does not exist. */
  unknown(does: ActHandler): ActHandler
  /** Learns the offers of servers that were never seen, for as long as a caller can wait. */
  learn(servers: readonly ServerKey[]): Promise<void>
}

/** Resolves the names, addresses and templates that a view shows to callers. */
export class Targets {
  readonly #parts: TargetParts

  constructor(parts: TargetParts) {
    this.#parts = parts
  }

  /** The templates of resources, as a view shows them. */
  async templates(view: View): Promise<Fields> {
    await this.#parts.learn(view.servers())
    const entries = visibleEntries(view, this.#parts.catalogue, 'template')
    const resourceTemplates = entries.map(({ server, original, definition }) => {
      const uriTemplate = this.#parts.owners.shownTemplate(server, original, view)
      return uriTemplate === original ? definition : { ...definition, uriTemplate }
    })
    return { resourceTemplates }
  }

  /** The act on a name; a server whose first list is still on its way is waited for. */
  named(request: RelayRequest, view: View, kind: 'tool' | 'prompt', act: ActKind): Wanted | Promise<Wanted> {
    const { catalogue, learn, own } = this.#parts
    // a call through another tool is judged, recorded and asked about as the inner call
    const params = kind === 'tool' ? own.unwrapped(request.params, view) : request.params
    const name = params.name as string
    const entry = entryNamed(view, catalogue, kind, name)
    if (entry !== undefined && entry.standing !== 'new') return wantedOf(entry, params, act)
    return learn(view.servers()).then(() => {
      const learnt = entryNamed(view, catalogue, kind, name)
      if (learnt) return wantedOf(learnt, params, act)
      const asked = String(request.params.name)
      if (kind === 'tool' && own.has(asked, view)) return ownWanted('call', request.params, own.stack(view, asked))
      return unknownWanted({ kind, name, act }, view, this.#parts)
    })
  }

  /** The act of reading a resource. */
  read({ params, caller }: RelayRequest, view: View): Wanted {
    const uri = String(params.uri)
    const { own, owners, search, skills, spilled } = this.#parts
    if (spilled.owns(uri)) return this.#spilled(params, view, spilled.find(uri, caller.principal))
    if (own.owns(uri)) return ownWanted('read', params, own.stack(view, uri))
    const found = owners.find(uri, view) ?? skills.ownerOf(uri, view)
    if (!found) return ownWanted('read', params, search.reading(uri, view))
    const wanted = skills.reading(found)
    if (wanted) return { ...wanted, params: { ...params, uri: found.uri } }
    return { kind: 'read', server: found.server, target: found.uri, args: {}, params: { ...params, uri: found.uri } }
  }

  /** Resources to watch at an address: an unlisted one may be of any server, and its owner accepts the subscription. */
  watched(uri: string, view: View): readonly OwnedResource[] {
    const { own, owners, search, spilled } = this.#parts
    if (own.owns(uri) || spilled.owns(uri)) return []
    const found = owners.find(uri, view)
    return found ? [found] : search.everywhere(uri, view)
  }

  /** A large result that its server keeps. */
  #spilled(params: Fields, view: View, { server, uri }: OwnedResource): Wanted {
    if (!view.servers().includes(server))
      throw new RpcError(-32002, `Cannot find resource "${params.uri}": its server is not offered here`)
    const { stack } = this.#parts
    const by: ActHandler = async (doing) => withShownLinks(await stack(doing), () => String(params.uri))
    return { kind: 'read', server, target: uri, args: {}, params: { ...params, uri }, by }
  }

  /** The act of completing an argument. */
  completion({ params }: RelayRequest, view: View): Wanted {
    const ref = params.ref as Fields
    if (ref.type === 'ref/prompt') {
      const entry = entryNamed(view, this.#parts.catalogue, 'prompt', String(ref.name))
      if (!entry) throw new RpcError(InvalidParams, `Cannot complete for prompt "${ref.name}": no such prompt here`)
      const { server, original } = entry
      const own = { ...params, ref: { ...ref, name: original } }
      return { kind: 'complete', server, target: original, args: {}, params: own }
    }
    const { server, uri } = this.#template(String(ref.uri), view) ?? this.#resource(String(ref.uri), view)
    return { kind: 'complete', server, target: uri, args: {}, params: { ...params, ref: { ...ref, uri } } }
  }

  /** The template that a caller means. */
  #template(text: string, view: View): OwnedResource | undefined {
    const all = visibleEntries(view, this.#parts.catalogue, 'template')
    const found = all.find(({ server, original }) => this.#parts.owners.shownTemplate(server, original, view) === text)
    return found && { server: found.server, uri: found.original }
  }

  #resource(uri: string, view: View): OwnedResource {
    const { own, spilled, owners } = this.#parts
    const found = own.owns(uri) || spilled.owns(uri) ? undefined : owners.find(uri, view)
    if (!found) throw new RpcError(-32002, `Cannot find resource "${uri}": no server here has it`)
    return found
  }
}

function wantedOf(entry: Entry, params: Fields, kind: ActKind): Wanted {
  const { server, original } = entry
  // a task of the caller is ours, and its server need not know of it
  const { task: _, ...sent } = params
  const args = (params.arguments as Fields | undefined) ?? {}
  return { kind, server, target: original, args, params: { ...sent, name: original }, entry }
}

/** Characters of a name that does not exist which are recorded; no server has longer ones. */
const maxUnknownName = 128

/** An act on an unknown name: the caller gets an error, and it is limited and recorded like other acts. */
function unknownWanted(
  { kind, name, act }: { readonly kind: string; readonly name: string; readonly act: ActKind },
  view: View,
  { unknown }: Pick<TargetParts, 'unknown'>,
): Wanted {
  const refuse = unknown(() => Promise.reject(new Refused(`unknown ${kind}`, `there is no such ${kind} here`)))
  const by: ActHandler = (doing) =>
    refuse(doing).catch((error: unknown) => {
      if (!(error instanceof Refused) || error.outcome !== `unknown ${kind}`) throw error
      throw new RpcError(InvalidParams, `Cannot find ${kind} "${name}": no such ${kind} here`)
    })
  const [only = ownServer, another] = view.servers()
  const server = another === undefined ? only : ownServer
  const text = String(name)
  const target = text.length > maxUnknownName ? `${text.slice(0, maxUnknownName)}…` : text
  return { kind: act, server, target, args: {}, params: {}, by, isUnknown: true }
}

function ownWanted(kind: 'call' | 'read', params: Fields, by: ActHandler): Wanted {
  const target = String(kind === 'call' ? params.name : params.uri)
  return { kind, server: ownServer, target, args: (params.arguments as Fields | undefined) ?? {}, params, by }
}
