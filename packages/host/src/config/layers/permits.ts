import { createHash } from 'node:crypto'
import { canonicalJson } from '@trunkline/mcp'
import type { Path, Value } from '../document/document.ts'
import type { Layer } from './layer.ts'
import { leaves } from './leaves.ts'
import { alwaysTightens } from './tighten.ts'

/** Settings of a file that would permit more than is permitted without it. */
export interface Permits {
  readonly file: string
  /** Hash of the permitting settings alone, so that comments and tightening need no new acceptance. */
  readonly hash: string
  readonly settings: readonly Permitted[]
}

/** One setting that permits something. */
export interface Permitted {
  readonly path: Path
  readonly value: Value
  readonly line: number
}

/** Settings to accept before all of a layer counts; undefined if there are none. */
export function permitsOf(layer: Layer): Permits | undefined {
  return permitsIn(layer, layer.value)
}

/** Permits as computed by versions that refused no setting of a project; acceptances from then still hold. */
export function formerPermitsOf(layer: Layer): Permits | undefined {
  return permitsIn(layer, layer.former)
}

function permitsIn(layer: Layer, value: Value): Permits | undefined {
  const settings = leaves(value)
    .filter(({ path, value }) => path[0] !== '$schema' && !alwaysTightens(path, value))
    .map(({ path, value }) => ({ path, value, line: layer.placeOf(path).line }))
  if (settings.length === 0) return undefined
  const content = canonicalJson(settings.map(({ path, value }) => [path, value]))
  const hash = createHash('sha256').update(content).digest('hex')
  return { file: layer.file, hash, settings }
}
