import { type Fields, isObject } from '../wire/messages.ts'
import { spreadReference } from './local-reference.ts'

/** One simple schema of a union, without those for null and undefined. */
export interface Variant {
  readonly schema: Fields
  /** The type of its values, if it has one. */
  readonly kind: string | undefined
  /** The allowed values, if they are listed. */
  readonly values: readonly unknown[] | undefined
}

/** Flattens the unions that libraries produce for nullable values, optional values and literals. */
export function variantsOf(schema: Fields, root: Fields, depth = 0): readonly Variant[] {
  const { anyOf, oneOf, ...plain } = spreadReference(schema, root)
  const branches = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined
  if (branches && depth < maxDepth)
    return branches.filter(isObject).flatMap((branch) => variantsOf(branch, root, depth + 1))
  const kinds: readonly unknown[] = Array.isArray(plain.type) ? plain.type : [plain.type]
  return kinds.map((kind) => toVariant(plain, kind)).filter(({ kind }) => kind !== 'null')
}

const maxDepth = 8

function toVariant(schema: Fields, type: unknown): Variant {
  const all = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined
  const values = all?.length === 1 ? all : all?.filter((value) => value !== null)
  return { schema, values, kind: typeof type === 'string' ? type : kindOf(values) }
}

/** The common type of some values. */
function kindOf(values: readonly unknown[] = []): string | undefined {
  const kinds = new Set(values.map((value) => (value === null ? 'null' : typeof value)))
  const [kind] = kinds
  if (kinds.size !== 1) return undefined
  return kind === 'number' && values.every(Number.isInteger) ? 'integer' : kind
}
