import type { Entry } from '../catalogue/entry.ts'
import { ApiError } from './api-error.ts'
import type { ApiParts } from './parts.ts'

/** What a server offers by its own name for it; refuses what it does not. */
export function entryOf({ catalogue }: ApiParts, server: string, kind: Entry['kind'], name: string): Entry {
  const entry = catalogue.find(server, kind, name)
  if (!entry) throw new ApiError(404, `There is no ${kind} "${name}" of server "${server}"`)
  return entry
}
