import type { CatalogueEntry } from '../host/queries.ts'

/** One thing that a server offers, as it stands in a list. */
export interface ListedOffer {
  readonly key: string
  readonly server: string
  /** Last part of its address on the screen. */
  readonly name: string
  readonly title: string
  /** Line below the title. */
  readonly of: string
  /** A word that stands out. */
  readonly mark?: string | undefined
  /** Text to search in, in small letters. */
  readonly text: string
}

/** List entries for the offers of servers. */
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
