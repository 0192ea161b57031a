import type { ChangedFile } from './changes.ts'
import type { Repository } from './repository.ts'

/** The beginning of an id, as lists have it; git takes it wherever it takes an id. */
export function shortId(id: string): string {
  return id.slice(0, 12)
}

/** A changed file on one line. */
export function showChange({ path, change, from, added, removed }: ChangedFile): string {
  const lines = added === undefined ? '' : ` +${added} -${removed}`
  return `${change} ${from === undefined ? '' : `${from} → `}${path}${lines}`
}

/** The address of something in a repository; a slash within a part is escaped. */
export function gitUri({ name }: Pick<Repository, 'name'>, ...parts: readonly string[]): string {
  return `git://${[name, ...parts].map((part) => encodeURIComponent(part)).join('/')}`
}
