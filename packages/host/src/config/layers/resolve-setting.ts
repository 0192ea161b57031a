import { keyOf, type Path, type Value } from '../document/document.ts'
import { usualValue } from '../schema/settings.ts'
import type { Joined } from './join.ts'
import type { Place } from './layer.ts'

/** The value of a setting in effect in a project, and its place. */
export interface ResolvedSetting {
  /** Undefined when no layer says one and there is no usual value. */
  readonly value: Value | undefined
  /** The strongest layer that says it; undefined for the usual value. */
  readonly place: Place | undefined
}

/** Resolves one setting: the code that acts and the explanations for people use this alike. */
export function resolveSetting({ contributions }: Pick<Joined, 'contributions'>, path: Path): ResolvedSetting {
  const key = keyOf(path)
  const counting = contributions.filter((one) => one.standing === 'in effect' && keyOf(one.path) === key)
  const last = counting.at(-1)
  if (last === undefined) return { value: usualValue(path), place: undefined }
  const { layer, file, line } = last
  // several count at once only where each layer adds to a list
  const value = counting.length === 1 ? last.value : counting.flatMap((one) => one.value as Value[])
  return { value, place: { layer, file, line } }
}
