import { isTable, type Path, type Table, type Value } from '../document/document.ts'
import type { Layer, Place } from './layer.ts'
import { leaves } from './leaves.ts'
import { tightens } from './tighten.ts'

/** Value of a setting in one layer, and its standing. */
export interface Contribution extends Place {
  readonly path: Path
  readonly value: Value
  /** In effect, hidden by a stronger layer, or waiting for its file to be accepted. */
  readonly standing: 'in effect' | 'hidden' | 'waiting'
  /** The line of each item, when the value is a list. */
  readonly itemLines: readonly number[]
}

/** The layers joined into one set of settings. */
export interface Joined {
  readonly value: Table
  /** In the order of the layers. */
  readonly contributions: readonly Contribution[]
}

/** Lists to which every layer adds; of others the strongest layer's counts alone. */
const addedTo = [/^policy\.(?:allow|ask|deny|review|proof)$/, /^inputs$/, /^mcpServers\.[^.]+\.tools\.except$/]

/** Joins layers from the weakest to the strongest; of unaccepted ones only tightening settings count. */
export function joinLayers(layers: readonly Layer[], isAccepted: (layer: Layer) => boolean): Joined {
  const said = new Said()
  for (const layer of layers) {
    const trusted = isAccepted(layer)
    if (trusted) for (const server of definedServers(layer)) said.hideServer(server)
    for (const { path, value } of leaves(layer.value)) {
      const counts = trusted || tightens(path, value, said.valueOf(path))
      if (counts && !isAddedTo(path)) said.hide(path)
      const items = Array.isArray(value) ? value : []
      const itemLines = items.map((_, at) => layer.placeOf([...path, at]).line)
      said.add({ ...layer.placeOf(path), path, value, standing: counts ? 'in effect' : 'waiting', itemLines })
    }
  }
  return { value: tableOf(said.all), contributions: said.all }
}

type Changing = { -readonly [K in keyof Contribution]: Contribution[K] }

/** All contributions so far, found by their path and by the server they are about. */
class Said {
  readonly all: Changing[] = []
  readonly #byPath = new Map<string, Changing[]>()
  readonly #byServer = new Map<string, Changing[]>()

  add(one: Changing): void {
    this.all.push(one)
    group(this.#byPath, one.path.join('\0')).push(one)
    if (one.path[0] === 'mcpServers') group(this.#byServer, `${one.path[1]}`).push(one)
  }

  /** The value in effect at a path so far. */
  valueOf(path: Path): Value | undefined {
    const counting = group(this.#byPath, path.join('\0')).filter(({ standing }) => standing === 'in effect')
    return counting.reduce<Value | undefined>((joined, { value }) => joinValues(joined, value), undefined)
  }

  hide(path: Path): void {
    hideAll(group(this.#byPath, path.join('\0')))
  }

  hideServer(name: string): void {
    hideAll(group(this.#byServer, name))
  }
}

function group<T>(groups: Map<string, T[]>, key: string): T[] {
  const found = groups.get(key) ?? []
  groups.set(key, found)
  return found
}

function hideAll(contributions: readonly Changing[]): void {
  for (const one of contributions) if (one.standing === 'in effect') one.standing = 'hidden'
}

/** A layer that defines a server replaces all that weaker ones say of it; any other only adjusts it. */
function definedServers({ value: { mcpServers } }: Layer): string[] {
  if (!isTable(mcpServers)) return []
  return Object.keys(mcpServers).filter((name) => {
    const entry = mcpServers[name]
    return isTable(entry) && ('command' in entry || 'url' in entry)
  })
}

function tableOf(contributions: readonly Contribution[]): Table {
  const root: ChangingTable = {}
  for (const { path, value, standing } of contributions) if (standing === 'in effect') setAt(root, path, value)
  return root as Table
}

type ChangingTable = { [key: string]: Value | ChangingTable }

function setAt(root: ChangingTable, path: Path, value: Value): void {
  let table = root
  for (const key of path.slice(0, -1)) table = member(table, `${key}`)
  const key = `${path.at(-1)}`
  const before = Object.hasOwn(table, key) ? (table[key] as Value) : undefined
  define(table, key, joinValues(before, value))
}

/** Lists are joined, and an empty table takes nothing away. */
function joinValues(before: Value | undefined, value: Value): Value {
  if (Array.isArray(before) && Array.isArray(value)) return [...before, ...value]
  return isTable(before) && isTable(value) ? before : value
}

function member(table: ChangingTable, key: string): ChangingTable {
  const found = Object.hasOwn(table, key) ? table[key] : undefined
  if (isTable(found as Value)) return found as ChangingTable
  const made: ChangingTable = {}
  define(table, key, made)
  return made
}

/** Defined rather than set, so that a key named __proto__ is a key like any other. */
function define(table: ChangingTable, key: string, value: Value | ChangingTable): void {
  Object.defineProperty(table, key, { value, enumerable: true, configurable: true, writable: true })
}

function isAddedTo(path: Path): boolean {
  return addedTo.some((pattern) => pattern.test(path.join('.')))
}
