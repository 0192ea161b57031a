import type { ServerName } from '../act/server-name.ts'
import type { Host } from '../assembly/host.ts'
import type { Entry } from '../catalogue/entry.ts'
import { ApiError } from './api-error.ts'
import { knownKey } from './known-key.ts'

/** Finds an offer of a server by the server's own name for it; answers 404 if there is none. */
export function entryOf(host: Host, server: ServerName, kind: Entry['kind'], name: string): Entry {
  const entry = host.catalogue.find(knownKey(host, server), kind, name)
  if (!entry) throw new ApiError(404, `There is no ${kind} "${name}" of server "${server}"`)
  return entry
}
