import type { CatalogueEntry } from '../host/queries.ts'

/** One thing that a server offers, as it stands in a list. */
export interface ListedOffer {
  readonly key: string
  readonly server: string
  /** Last part of its address on the screen. */
  readonly name: string
  readonly title: string
  /** Its server, and what else is said of it beside the title. */
  readonly of: string
  /** Class of a tool. */
  readonly class?: CatalogueEntry['class'] | undefined
  /** A word that stands out. */
  readonly mark?: string | undefined
  /** Text to search in, in small letters. */
  readonly text: string
}

/** List entries for the offers of servers. */
export function listedEntries(entries: readonly CatalogueEntry[]): readonly ListedOffer[] {
  return entries.map(({ name: key, server, original, definition, kind, standing, class: decided }) => ({
    key,
    server,
    name: original,
    title: original,
    of: [server, standing !== 'usable' && standing].filter(Boolean).join(' · '),
    class: kind === 'tool' ? decided : undefined,
    text: `${original} ${server} ${definition.title ?? ''} ${definition.description ?? ''}`.toLowerCase(),
  }))
}
