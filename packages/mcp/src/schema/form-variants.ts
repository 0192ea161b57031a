import { type Fields, isObject } from '../wire/messages.ts'
import { spreadReference } from './local-reference.ts'

/** One of the simple schemas that a field's schema is a union of, once nothing stands for "no value" any more. */
export interface Variant {
  readonly schema: Fields
  /** The kind of value it wants, if it says. */
  readonly kind: string | undefined
  /** The values it is limited to, if it is. */
  readonly values: readonly unknown[] | undefined
}

/** Takes apart the unions that libraries write for nullable values, optional values and lists of literals. */
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

/** The kind of value that all of some values are. */
function kindOf(values: readonly unknown[] = []): string | undefined {
  const kinds = new Set(values.map((value) => (value === null ? 'null' : typeof value)))
  const [kind] = kinds
  if (kinds.size !== 1) return undefined
  return kind === 'number' && values.every(Number.isInteger) ? 'integer' : kind
}
