import type { ServerName } from '../act/server-name.ts'
import { isTable, keyOf, type Path, type Value } from './document/document.ts'
import { explainKey, type KeyExplanation } from './layers/explain.ts'
import { type Contribution, type Joined, joinLayers } from './layers/join.ts'
import type { Layer, LayerName, Place } from './layers/layer.ts'
import { formerPermitsOf, type Permits, permitsOf } from './layers/permits.ts'
import { type ResolvedSetting, resolveSetting } from './layers/resolve-setting.ts'
import type { ConfigProblem } from './problem.ts'
import type { ServerEntry } from './schema/server-entry.ts'
import type { HostSettings } from './schema/settings.ts'

/** A server as the layers together describe it. */
export interface ConfiguredServer {
  readonly name: ServerName
  readonly entry: ServerEntry
  /** Place of the server's definition. */
  readonly place: Place
  /** Problems to mend before it can be started. */
  readonly problems: readonly ConfigProblem[]
  /** Place of a part of its entry. */
  placeOf(path: Path): Place
}

/** A rule of the policy as it was written, and where. */
export interface WrittenRule {
  readonly effect: 'allow' | 'ask' | 'deny' | 'review'
  readonly rule: Value
  readonly source: { readonly layer: LayerName; readonly file: string; readonly line: number }
}

/** The configuration that counts for one project, or for none. */
export interface EffectiveConfig {
  readonly settings: HostSettings
  readonly servers: readonly ConfiguredServer[]
  readonly rules: readonly WrittenRule[]
  readonly problems: readonly ConfigProblem[]
  /** Files that were broken when first read: rules that deny may be missing, so nothing should be allowed unasked. */
  readonly partial: readonly string[]
  /** Files that do not count in full before a person accepts them. */
  readonly waiting: readonly Permits[]
  /** The value of a setting in effect, and its place. */
  resolve(path: Path): ResolvedSetting
  /** Origin of a setting's value, and the values it hid; for a key with others below it, of each of them. */
  explain(key: string): KeyExplanation[]
}

/** Joins layers; permits of a project's file count only when it was accepted. */
export function effectiveConfig(layers: readonly Layer[], isAccepted: (permits: Permits) => boolean): EffectiveConfig {
  const wasAccepted = (layer: Layer): boolean => {
    const former = formerPermitsOf(layer)
    return former !== undefined && isAccepted(former)
  }
  const waiting = layers
    .filter((layer) => layer.name === 'project' && !wasAccepted(layer))
    .flatMap((layer) => permitsOf(layer) ?? [])
    .filter((one) => !isAccepted(one))
  const joined = joinLayers(layers, ({ name, file }) => name !== 'project' || !waiting.some((one) => one.file === file))
  const servers = serversIn(joined, layers)
  const problems = [
    ...layers.flatMap((layer) => layer.problems),
    ...layers.flatMap((layer) => refusalsOf(layer, layer.name !== 'project' || wasAccepted(layer))),
    ...servers.flatMap((server) => server.problems),
  ].filter(isFirst)
  return {
    settings: joined.value as HostSettings,
    servers,
    rules: rulesIn(joined),
    problems,
    partial: layers.filter(({ isPartial }) => isPartial).map(({ file }) => file),
    waiting,
    resolve: (path) => resolveSetting(joined, path),
    explain: (key) => explainKey(joined, key, problems),
  }
}

/** Settings that a project's file cannot set; in one that was accepted with them, a warning. */
function refusalsOf({ refused, placeOf }: Layer, isWarning: boolean): readonly ConfigProblem[] {
  return refused.map(({ path, problem, fix }) => {
    const { file, line } = placeOf(path)
    return { file, line, key: keyOf(path), problem, fix, ...(isWarning && { isWarning }) }
  })
}

function isFirst(one: ConfigProblem, at: number, all: readonly ConfigProblem[]): boolean {
  return (
    all.findIndex(
      (other) =>
        other.file === one.file && other.line === one.line && other.key === one.key && other.problem === one.problem,
    ) === at
  )
}

function serversIn(joined: Joined, layers: readonly Layer[]): ConfiguredServer[] {
  const { mcpServers } = joined.value
  if (!isTable(mcpServers)) return []
  const byServer = new Map<string, Contribution[]>(Object.keys(mcpServers).map((name) => [name, []]))
  for (const one of joined.contributions) {
    if (one.standing === 'in effect' && one.path[0] === 'mcpServers') byServer.get(`${one.path[1]}`)?.push(one)
  }
  return Object.entries(mcpServers).flatMap(([name, entry]) => {
    const said = byServer.get(name) ?? []
    const definition = said.find(({ path }) => path[2] === 'command' || path[2] === 'url') ?? said[0]
    if (definition === undefined) return []
    const home = layers.find((layer) => layer.name === definition.layer && layer.file === definition.file)
    const place = home?.placeOf(['mcpServers', name]) ?? definition
    const placeOf = (path: Path) => (path.length === 0 ? place : (placeIn(said, path) ?? place))
    const broken = layers.flatMap(({ brokenServers }) => brokenServers.get(name) ?? [])
    const own = broken.length > 0 ? [] : entryProblems(name, entry as ServerEntry, placeOf)
    // a layer that only tightens a server that does not exist has nothing to mend
    if (own.length > 0 && said.every(({ layer }) => layer === 'project')) return []
    return [{ name, entry: entry as ServerEntry, place, problems: [...broken, ...own], placeOf }]
  })
}

/** Place of the key, or of the first key below it, or of the list that it is an item of. */
function placeIn(said: readonly Contribution[], path: Path): Place | undefined {
  const below = said.findLast((one) => path.every((part, at) => one.path[at + 2] === part))
  const [item] = path.slice(-1)
  const list = said.findLast(
    (one) => one.path.length === path.length + 1 && one.path.slice(2).every((part, at) => path[at] === part),
  )
  const found = below ?? (typeof item === 'number' ? list : undefined)
  if (found === undefined) return undefined
  const line = below === undefined ? found.itemLines[Number(item)] : undefined
  return { layer: found.layer, file: found.file, line: line ?? found.line }
}

function entryProblems(name: string, entry: ServerEntry, placeOf: (path: Path) => Place): ConfigProblem[] {
  const wrong = entryMistake(entry)
  if (wrong === undefined) return []
  const { file, line } = placeOf(wrong.at)
  return [{ file, line, key: keyOf(['mcpServers', name, ...wrong.at]), problem: wrong.problem, fix: wrong.fix }]
}

function entryMistake({ command, url, type }: ServerEntry): { at: Path; problem: string; fix: string } | undefined {
  if (command === undefined && url === undefined) {
    return { at: [], problem: 'has neither "command" nor "url"', fix: 'write which program to start, or the address' }
  }
  if (command !== undefined && url !== undefined) {
    return { at: ['url'], problem: 'stands beside "command"', fix: 'remove one of the two' }
  }
  if (type !== undefined && (type === 'stdio') !== (command !== undefined)) {
    return {
      at: ['type'],
      problem: `is "${type}"`,
      fix: command === undefined ? 'write "http" or "sse"' : 'write "stdio"',
    }
  }
  return undefined
}

function rulesIn({ contributions }: Joined): WrittenRule[] {
  return contributions.flatMap(({ path, value, standing, layer, file, itemLines }) => {
    const [top, effect] = path
    if (top !== 'policy' || path.length !== 2 || standing !== 'in effect' || !Array.isArray(value) || !isEffect(effect))
      return []
    return value.map((rule, at) => ({ effect, rule, source: { layer, file, line: itemLines[at] ?? 1 } }))
  })
}

function isEffect(word: unknown): word is WrittenRule['effect'] {
  return word === 'allow' || word === 'ask' || word === 'deny' || word === 'review'
}
