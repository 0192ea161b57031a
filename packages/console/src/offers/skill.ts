import type { CatalogueEntry } from '../host/queries.ts'

/** The members of a skill that are shown. */
export interface ShownSkill {
  readonly name: string
  readonly description: string
  /** Its files by their paths, or `dynamic` when they are not known beforehand. */
  readonly files: readonly { readonly path: string; readonly uri: string }[] | 'dynamic'
  /** Everything else that it says of itself, such as the tools it wants. */
  readonly more: readonly (readonly [name: string, value: string])[]
}

/** The skill that an entry of the catalogue describes. */
export function skillOf({ original, definition }: CatalogueEntry): ShownSkill {
  const { name = original, description = '', ...rest } = (definition.frontmatter ?? {}) as Partial<ShownSkill>
  const more = Object.entries(rest).map(([key, value]) => [key, shown(value)] as const)
  const root = original.slice(0, original.lastIndexOf('/') + 1)
  const { resources } = definition
  if (!Array.isArray(resources)) return { name, description, more, files: 'dynamic' }
  const files = resources.map(({ uri }: { readonly uri: string }) => ({ path: uri.slice(root.length), uri }))
  return { name, description, more, files }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The version that rules and questions name. */
export function versionOf({ hash }: CatalogueEntry): string {
  return hash.slice(0, 16)
}
