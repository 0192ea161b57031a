import { matchesGlob } from '@trunkline/base/glob'
import type { Caller, Fields } from '@trunkline/mcp'
import { isForModel } from '@trunkline/mcp/apps'
import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Entry } from '../catalogue/entry.ts'

/** Servers and names that one address of the gateway offers. */
export interface View {
  /** The project whose callers it is for; missing for callers in none. */
  readonly project?: string
  /** The servers it offers, in order. */
  servers(): readonly ServerKey[]
  /** Form of an entry's name here. */
  readonly naming: 'shown' | 'name'
  /** The definition as it is shown here. */
  show(entry: Entry): Fields
  /** True if an entry of its servers is offered here. @default it is */
  offers?(entry: Entry): boolean
  /** Keys of the servers that are in none of its lists; their tools can be called all the same. @default none */
  readonly hidden?: ReadonlySet<ServerKey>
  /** Its purpose in a sentence. @default none */
  description?(): string | undefined
  /** True if tools are found by searching here instead of being listed. @default they are listed */
  isSearched?(): boolean
  /** True if the tool that runs plans is listed here. @default it is not */
  listsPipe?(): boolean
}

/** One server under its own names and addresses; nothing while there is none. */
export function serverView(servers: () => readonly ServerKey[]): View {
  return {
    servers,
    naming: 'shown',
    show: ({ definition, shown, original }) => (shown === original ? definition : { ...definition, name: shown }),
  }
}

/** Every server, with names that tell them apart. */
export function aggregateView(servers: () => readonly ServerKey[]): View {
  return {
    servers,
    naming: 'name',
    show: (entry) => withoutApp({ ...entry.definition, name: entry.name }),
    offers: (entry) => !isForAppsAlone(entry),
  }
}

/** True if a tool is for apps of its server, and not for models. */
function isForAppsAlone({ kind, definition }: Entry): boolean {
  return kind === 'tool' && !isForModel(definition)
}

/** The view for a caller: one that shows no apps is not told of tools that are for them alone. */
export function viewFor(view: View, { capabilities }: Pick<Caller, 'capabilities'>): View {
  if (capabilities.extensions?.['io.modelcontextprotocol/ui'] !== undefined) return view
  return { ...view, offers: (entry) => !isForAppsAlone(entry) && (view.offers?.(entry) ?? true) }
}

/** Selection of the aggregate that a profile offers; a missing member selects everything. */
export interface Profile {
  /** Its purpose in a sentence, which models are given before the instructions of its servers. */
  readonly description?: string | undefined
  readonly servers?: readonly string[] | undefined
  /** Patterns such as `server:tool`, with `*` for any characters. */
  readonly tools?: readonly string[] | undefined
  /** True if tools are found by searching instead of being listed. @default false */
  readonly search?: boolean | undefined
  /** True if the tool that runs plans of calls is listed. @default false */
  readonly pipe?: boolean | undefined
}

/** A choice of the aggregate, under the same names. */
export function profileView(servers: () => readonly ServerKey[], profile: () => Profile | undefined): View {
  const all = aggregateView(() => {
    const only = profile()?.servers
    return servers().filter((key) => only === undefined || only.includes(serverNameOf(key)))
  })
  return {
    ...all,
    description: () => profile()?.description,
    isSearched: () => profile()?.search === true,
    listsPipe: () => profile()?.pipe === true,
    offers: (entry) => {
      const { kind, server, original } = entry
      const patterns = kind === 'tool' ? profile()?.tools : undefined
      if (all.offers?.(entry) === false) return false
      return (
        patterns === undefined ||
        patterns.some((pattern) => matchesGlob(pattern, `${serverNameOf(server)}:${original}`))
      )
    },
  }
}

/** An app must not reach another server's tools, so the aggregate shows none. */
function withoutApp(definition: Fields): Fields {
  const meta = definition._meta as Fields | undefined
  if (meta?.ui === undefined && meta?.['ui/resourceUri'] === undefined) return definition
  const { ui: _ui, 'ui/resourceUri': _uri, ...rest } = meta
  const { _meta: _, ...plain } = definition
  return Object.keys(rest).length > 0 ? { ...plain, _meta: rest } : plain
}

/** The accepted entries of a kind that callers may see, whatever their server offers now. */
export function visibleEntries(view: View, catalogue: Catalogue, kind: Entry['kind']): readonly Entry[] {
  return view
    .servers()
    .filter((server) => !view.hidden?.has(server))
    .flatMap((server) => catalogue.entries(server))
    .filter((entry) => entry.kind === kind && isInUse(entry))
    .filter((entry) => view.offers?.(entry) ?? true)
}

/** True if an entry is used as it was accepted, whatever its server offers now; a changed skill cannot be read as it was. */
export function isInUse({ kind, standing }: Entry): boolean {
  return standing === 'usable' || (standing === 'changed' && kind !== 'skill')
}

/** The entry that a caller means by a name; also one it may not use, so that it can be told why. */
export function entryNamed(view: View, catalogue: Catalogue, kind: Entry['kind'], name: string): Entry | undefined {
  for (const server of view.servers()) {
    const found = catalogue.find(server, kind, name, view.naming)
    if (found && (view.offers?.(found) ?? true)) return found
  }
  return undefined
}
