import type { Fields } from '@trunkline/mcp'
import type { Act } from '../act/act.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Entry } from '../catalogue/entry.ts'
import { isLoopback } from '../servers/is-loopback.ts'
import type { ServerTable } from '../servers/server-table.ts'
import type { Outlet } from './taint.ts'

/** Destination of an act's arguments; its entry is looked up unless it was `found`. */
export function outletOf(
  { serverKey, target, kind }: Act,
  found: Entry | undefined,
  { catalogue, servers }: { readonly catalogue: Catalogue; readonly servers: ServerTable },
): Pick<Outlet, 'isRemote' | 'isOpenWorld'> {
  const launch = servers.get(serverKey)?.spec.launch
  const definition = kind === 'call' ? (found ?? catalogue.find(serverKey, 'tool', target))?.definition : undefined
  return {
    isRemote: launch?.kind === 'remote' && !isLoopback(launch.url),
    isOpenWorld: (definition?.annotations as Fields | undefined)?.openWorldHint === true,
  }
}
