import { vocabularies } from '../../src/wire/vocabulary-table.ts'

/** A value that differs from a good one in a single place. */
export interface Spoiled {
  readonly value: unknown
  /** Place of the difference, as in `tools[0].name`. */
  readonly path: string
}

const strangers = [null, true, 0, -1, 1.5, 'x', [], {}]

const shapes = [...vocabularies.values()].flatMap(({ types }) => Object.values(types))
/** Every name that any revision knows, and one that none does; most of them mean nothing where they are put. */
const names = [...new Set(shapes.flatMap(({ fields = [] }) => [...fields])), 'unheardOf']

/** All the ways to spoil a JSON value by one member or item: another type, another value, missing, or too much. */
export function* spoiled(value: unknown, path = ''): Generator<Spoiled> {
  for (const stranger of strangers) yield { value: stranger, path }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      for (const bad of spoiled(item, `${path}[${index}]`)) yield { ...bad, value: value.with(index, bad.value) }
  } else if (typeof value === 'object' && value !== null) {
    yield* spoiledMembers(value as Record<string, unknown>, path)
  }
}

function* spoiledMembers(value: Record<string, unknown>, path: string): Generator<Spoiled> {
  const inside = (name: string) => (path === '' ? name : `${path}.${name}`)
  for (const [name, member] of Object.entries(value)) {
    const { [name]: _, ...rest } = value
    yield { value: rest, path: inside(name) }
    for (const bad of spoiled(member, inside(name))) yield { ...bad, value: { ...value, [name]: bad.value } }
  }
  for (const name of someNames(JSON.stringify(value).length)) {
    if (name in value) continue
    for (const stranger of [5, null]) yield { value: { ...value, [name]: stranger }, path: inside(name) }
  }
}

/** A few of the names, the same ones for the same seed. */
function someNames(seed: number): string[] {
  return [0, 1, 2].map((step) => names[(seed * 7 + step * 31) % names.length] as string)
}
