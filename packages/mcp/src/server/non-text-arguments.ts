import type { Adapted } from '../schema/adapter.ts'
import { spreadReference } from '../schema/local-reference.ts'
import { type Fields, isObject } from '../wire/messages.ts'

// text that converting schemas accept: a number, a boolean, a date
const samples = ['1', 'true', '2026-01-01T00:00:00Z']

/**
 * The arguments that no text can be: a prompt is given text alone. A description that has no place for text is not
 * enough, for a schema that converts text may be described by what it converts to; so it is tried.
 */
export function nonTextArguments(adapted: Adapted, json: Fields): Promise<readonly string[]> | undefined {
  const properties = isObject(json.properties) ? json.properties : {}
  const suspects = Object.keys(properties).filter((name) => !takesText(properties[name], json, 0))
  if (suspects.length === 0) return undefined
  return Promise.all(suspects.map((name) => refusesAll(adapted, name))).then((refused) =>
    suspects.filter((_, at) => refused[at]),
  )
}

async function refusesAll(adapted: Adapted, name: string): Promise<boolean> {
  for (const sample of samples) {
    const checked = await adapted.check({ [name]: sample })
    if (checked.ok || !checked.problems.some(({ path }) => path === name)) return false
  }
  return true
}

const mostDepth = 16

/** True if a schema may accept text. */
function takesText(schema: unknown, root: Fields, depth: number): boolean {
  if (!isObject(schema) || depth > mostDepth) return schema !== false
  const { type, enum: choice, const: only, anyOf, oneOf, allOf } = spreadReference(schema, root)
  if (type !== undefined && ![type].flat().includes('string')) return false
  if (Array.isArray(choice) && !choice.some((value) => typeof value === 'string')) return false
  if (only !== undefined && typeof only !== 'string') return false
  const some = (list: unknown) => !Array.isArray(list) || list.some((part) => takesText(part, root, depth + 1))
  return (
    some(anyOf) && some(oneOf) && (!Array.isArray(allOf) || allOf.every((part) => takesText(part, root, depth + 1)))
  )
}
