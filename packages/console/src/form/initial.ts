import { controlKind, isRequired, propertiesOf, resolve, type Schema, variantsOf } from './schema.ts'

const maxDepth = 8

/** The value a form begins with: defaults as declared, what is required and has only one form, and nothing else. */
export function initialValue(given: unknown, root: Schema, isNeeded = true, depth = 0): unknown {
  const schema = resolve(given, root)
  if (schema.default !== undefined) return structuredClone(schema.default)
  if (!isNeeded || depth > maxDepth) return undefined
  if ('const' in schema) return schema.const
  const kind = controlKind(schema)
  if (kind === 'boolean') return false
  if (kind === 'array' || kind === 'choices') return []
  if (kind === 'union') return initialValue(variantsOf(schema)[0], root, true, depth + 1)
  if (kind !== 'object') return undefined
  const members = propertiesOf(schema)
    .map(([name, property]) => [name, initialValue(property, root, isRequired(schema, name), depth + 1)] as const)
    .filter(([, value]) => value !== undefined)
  return Object.fromEntries(members)
}
