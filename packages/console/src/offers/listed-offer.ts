import type { CatalogueEntry } from '../host/queries.ts'

/** One thing that a server offers, as it stands in a list. */
export interface ListedOffer {
  readonly key: string
  readonly server: string
  /** What its address on the screen ends with. */
  readonly name: string
  readonly title: string
  /** What stands below the title. */
  readonly of: string
  /** A word that stands out. */
  readonly mark?: string | undefined
  /** Where words are searched, in small letters. */
  readonly text: string
}

/** What servers offer, as it is listed. */
export function listedEntries(entries: readonly CatalogueEntry[]): readonly ListedOffer[] {
  return entries.map(({ name: key, server, original, definition, standing, class: decided }) => ({
    key,
    server,
    name: original,
    title: original,
    of: [server, standing !== 'usable' && standing, decided === 'destroys' && decided].filter(Boolean).join(' · '),
    text: `${original} ${server} ${definition.title ?? ''} ${definition.description ?? ''}`.toLowerCase(),
  }))
}
