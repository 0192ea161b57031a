import { keyOf, type Path, type Value } from '../document/document.ts'
import { usualValue } from '../schema/settings.ts'
import { maskSecrets } from '../secrets/mask.ts'
import type { Contribution, Joined } from './join.ts'
import { parseKey } from './key.ts'

/** Where the value of a setting came from, and what it hid. */
export interface KeyExplanation {
  readonly key: string
  /** The value that counts, with secrets masked; undefined when there is none. */
  readonly value: Value | undefined
  /** Whether nobody wrote one and the usual value counts. */
  readonly isUsual: boolean
  /** Every layer that says something of it, the strongest first. */
  readonly said: readonly Contribution[]
}

/** Explains a setting, or each of those below a key. */
export function explainKey(joined: Joined, key: string): KeyExplanation[] {
  const path = parseKey(key)
  const below = joined.contributions.filter((one) => path.every((part, at) => one.path[at] === part))
  const paths = new Map(below.map((one) => [keyOf(one.path), one.path]))
  if (paths.size === 0) {
    const usual = usualValue(path)
    return [{ key: keyOf(path), value: usual, isUsual: usual !== undefined, said: [] }]
  }
  return [...paths.values()].map((one) => explanationOf(joined, one))
}

/** An explanation in lines for a terminal. */
export function describeExplanation({ key, value, isUsual, said }: KeyExplanation): string[] {
  if (value === undefined && said.length === 0) return [`${key} is not set`]
  const head = value === undefined ? `${key} is not set` : `${key} = ${JSON.stringify(value)}`
  if (isUsual) return [`${head} (the usual value, nobody set it)`]
  return [
    head,
    ...said.map(
      ({ layer, file, line, value: one, standing }) =>
        `  ${words[standing]} ${layer} ${file}:${line} ${JSON.stringify(one)}`,
    ),
  ]
}

const words = { 'in effect': 'from', hidden: 'hides', waiting: 'waits to be accepted:' } as const

function explanationOf(joined: Joined, path: Path): KeyExplanation {
  const said = joined.contributions
    .filter((one) => keyOf(one.path) === keyOf(path))
    .map((one) => ({ ...one, value: maskSecrets(one.path, one.value) }))
    .reverse()
  const counting = said.filter(({ standing }) => standing === 'in effect')
  const lists = counting.map(({ value }) => value)
  const value = lists.length > 1 ? lists.reverse().flatMap((list) => (Array.isArray(list) ? list : [list])) : lists[0]
  const usual = value === undefined ? usualValue(path) : undefined
  return { key: keyOf(path), value: value ?? usual, isUsual: usual !== undefined && said.length === 0, said }
}
