import { createHash } from 'node:crypto'
import { canonicalJson } from '@trunkline/mcp'
import type { Path, Value } from '../document/document.ts'
import type { Layer } from './layer.ts'
import { leaves } from './leaves.ts'
import { alwaysTightens } from './tighten.ts'

/** What a file would make possible that was not possible without it. */
export interface Permits {
  readonly file: string
  /** Of what it permits alone, so that comments and tightening need no new acceptance. */
  readonly hash: string
  readonly settings: readonly Permitted[]
}

/** One setting that permits something. */
export interface Permitted {
  readonly path: Path
  readonly value: Value
  readonly line: number
}

/** What has to be accepted before all of a layer counts; undefined when nothing has. */
export function permitsOf(layer: Layer): Permits | undefined {
  return permitsIn(layer, layer.value)
}

/** The same as versions saw it that refused no setting of a project; what was accepted then still is. */
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
