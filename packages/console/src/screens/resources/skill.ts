import type { CatalogueEntry } from '../../host/queries.ts'
import type { ListedOffer } from '../../offers/listed-offer.ts'

/** The members of a skill that are shown. */
export interface ShownSkill {
  readonly name: string
  readonly description: string
  /** Its files by their paths, or `dynamic` when they are not known beforehand. */
  readonly files: readonly { readonly path: string; readonly uri: string }[] | 'dynamic'
}

/** The skill that an entry of the catalogue describes. */
export function skillOf({ original, definition }: CatalogueEntry): ShownSkill {
  const { name = original, description = '' } = (definition.frontmatter ?? {}) as Partial<ShownSkill>
  const root = original.slice(0, original.lastIndexOf('/') + 1)
  const { resources } = definition
  if (!Array.isArray(resources)) return { name, description, files: 'dynamic' }
  const files = resources.map(({ uri }: { readonly uri: string }) => ({ path: uri.slice(root.length), uri }))
  return { name, description, files }
}

/** The version that rules and questions name. */
export function versionOf({ hash }: CatalogueEntry): string {
  return hash.slice(0, 16)
}

/** A skill as it stands in the list of what can be read. */
export function listedSkill(entry: CatalogueEntry): ListedOffer {
  const { server, original, standing } = entry
  const { name, description } = skillOf(entry)
  return {
    key: `skill ${server} ${original}`,
    server,
    name: original,
    title: name,
    of: [server, 'skill', standing !== 'usable' && standing].filter(Boolean).join(' · '),
    text: `${name} skill ${original} ${server} ${description}`.toLowerCase(),
  }
}
