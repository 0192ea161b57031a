import type { Implementation } from '@trunkline/mcp'
import type { Relay } from '@trunkline/mcp/relay'
import { isMarked, type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { Gateway } from './gateway.ts'
import type { ViewOf } from './scope.ts'
import { aggregateView, profileView, serverView } from './view.ts'

/** Dependencies of the addresses below `/mcp`. */
export interface AddressParts {
  readonly gateway: Gateway
  /** Name of the only server that `/mcp` offers. @default all servers */
  readonly only?: string | undefined
  /** True if some caller is offered a server of this name. */
  hasServer(name: string): boolean
  hasProfile(name: string): boolean
  /** The name and version that a server gave itself; undefined while it does not run. */
  infoOf(name: string): Implementation | undefined
}

/** Addresses of the person's own servers; those of a project are for its callers alone. */
export function servedPaths(servers: readonly ServerKey[]): readonly string[] {
  return ['/mcp', ...servers.filter((key) => !isMarked(key)).map((key) => `/mcp/server/${key}`)]
}

/** The relay of an address: of all servers, of a profile, or of one server; undefined for an unknown address. */
export function frontAt(
  path: string,
  { gateway, only, hasServer, hasProfile, infoOf }: AddressParts,
): Relay | undefined {
  if (path === '/mcp' && only === undefined) {
    return gateway.front(path, { name: 'trunkline', viewOf: (scope) => aggregateView(() => scope.servers()) })
  }
  const profile = /^\/mcp\/profile\/([\w-]+)$/.exec(path)?.[1]
  if (profile !== undefined && hasProfile(profile)) {
    const viewOf: ViewOf = (scope) =>
      profileView(
        () => scope.servers(),
        // one that was removed, or is another project's, offers nothing
        () => scope.profile(profile) ?? { servers: [] },
      )
    return gateway.front(path, { name: profile, viewOf })
  }
  const name = path === '/mcp' ? only : /^\/mcp\/server\/([a-z0-9-]+)$/.exec(path)?.[1]
  if (name === undefined || !hasServer(name)) return undefined
  const viewOf: ViewOf = (scope) => serverView(() => scope.servers().filter((key) => serverNameOf(key) === name))
  let info: Implementation | undefined
  return gateway.front(path, { name, viewOf, info: () => (info = infoOf(name) ?? info) })
}
