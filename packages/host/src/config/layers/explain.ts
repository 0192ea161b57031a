import { keyOf, type Path, type Value } from '../document/document.ts'
import { type ConfigProblem, describeProblem } from '../problem.ts'
import { maskSecrets } from '../secrets/mask.ts'
import type { Contribution, Joined } from './join.ts'
import { parseKey } from './key.ts'
import { resolveSetting } from './resolve-setting.ts'

/** Origin of a setting's value, and the values it hid. */
export interface KeyExplanation {
  readonly key: string
  /** The value that counts, with secrets masked; undefined when there is none. */
  readonly value: Value | undefined
  /** True if no layer sets one and the default counts. */
  readonly isUsual: boolean
  /** Every layer that says something of it, the strongest first. */
  readonly said: readonly Contribution[]
  /** Problems of wrong values in files, which do not count. */
  readonly wrong: readonly ConfigProblem[]
}

/** Explains a setting, or each of those below a key. */
export function explainKey(joined: Joined, key: string, problems: readonly ConfigProblem[] = []): KeyExplanation[] {
  const path = parseKey(key)
  const below = joined.contributions.filter((one) => path.every((part, at) => one.path[at] === part))
  const paths = new Map(below.map((one) => [keyOf(one.path), one.path]))
  const wrongBelow = problems.filter((one) => isWithin(one.key, keyOf(path)) && !paths.has(one.key))
  const unsaid = wrongBelow.length === 0 && paths.size === 0 ? [keyOf(path)] : wrongBelow.map((one) => one.key)
  return [
    ...[...paths.values()].map((one) => explanationOf(joined, one)),
    ...[...new Set(unsaid)].map(unsaidExplanation),
  ].map((one) => ({ ...one, wrong: problems.filter((problem) => isWithin(one.key, problem.key)) }))
}

/** True if a key is another one, or stands below it. */
function isWithin(key: string, outer: string): boolean {
  return key === outer || key.startsWith(`${outer}.`)
}

/** A key that no file says anything of that counts. */
function unsaidExplanation(key: string): Omit<KeyExplanation, 'wrong'> {
  const { value } = resolveSetting({ contributions: [] }, key.split('.'))
  return { key, value, isUsual: value !== undefined, said: [] }
}

/** An explanation in lines for a terminal. */
export function describeExplanation({ key, value, isUsual, said, wrong }: KeyExplanation): string[] {
  const head = value === undefined ? `${key} is not set` : `${key} = ${JSON.stringify(value)}`
  const unset = wrong.length === 0 ? 'the default, no file sets it' : 'the default, as what a file says is wrong'
  return [
    isUsual ? `${head} (${unset})` : head,
    ...wrong.map((problem) => `  wrong: ${describeProblem(problem)}`),
    ...said.map(
      ({ layer, file, line, value: one, standing }) =>
        `  ${words[standing]} ${layer} ${file}:${line} ${JSON.stringify(one)}`,
    ),
  ]
}

const words = { 'in effect': 'from', hidden: 'hides', waiting: 'waits to be accepted:' } as const

function explanationOf(joined: Joined, path: Path): Omit<KeyExplanation, 'wrong'> {
  const said = joined.contributions
    .filter((one) => keyOf(one.path) === keyOf(path))
    .map((one) => ({ ...one, value: maskSecrets(one.path, one.value) }))
    .reverse()
  const { value, place } = resolveSetting(joined, path)
  const masked = value === undefined ? undefined : maskSecrets(path, value)
  return {
    key: keyOf(path),
    value: masked,
    isUsual: place === undefined && value !== undefined && said.length === 0,
    said,
  }
}
