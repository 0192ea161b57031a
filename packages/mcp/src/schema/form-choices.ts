import type { Fields } from '../wire/messages.ts'
import type { Variant } from './form-variants.ts'

/** One choice of a field. */
export interface Choice {
  readonly value: string
  readonly title: string | undefined
}

/** The choices of a field, if it has any. */
export function choicesOf(variants: readonly Variant[]): readonly Choice[] | undefined {
  const choices: Choice[] = []
  for (const { schema, values } of variants) {
    if (!values) return undefined
    for (const [index, value] of values.entries()) {
      if (typeof value !== 'string') return undefined
      choices.push({ value, title: variants.length > 1 ? text(schema.title) : titleAt(schema, index) })
    }
  }
  return choices.length > 0 ? choices : undefined
}

/** Encodes choices as an enum, or under another keyword when they have titles. */
export function encodeChoices(choices: readonly Choice[], titled: 'oneOf' | 'anyOf'): Fields {
  if (choices.every(({ title }) => title === undefined)) return { enum: choices.map(({ value }) => value) }
  return { [titled]: choices.map(({ value, title = value }) => ({ const: value, title })) }
}

/** An enum with `enumNames`, which the protocol still has; it stays unchanged. */
export function namedEnum({ enum: values, enumNames: names }: Fields): Fields | undefined {
  if (!Array.isArray(values) || !Array.isArray(names) || names.length !== values.length) return undefined
  return [...values, ...names].every((word) => typeof word === 'string')
    ? { enum: values, enumNames: names }
    : undefined
}

/** The title of a value in `enumNames`. */
function titleAt({ enumNames }: Fields, index: number): string | undefined {
  return Array.isArray(enumNames) ? text(enumNames[index]) : undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
