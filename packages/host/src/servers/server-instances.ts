import type { Caller, Client } from '@trunkline/mcp'
import type { Act, Principal } from '../act/act.ts'
import { copyKey, type ServerKey } from '../act/server-key.ts'
import { hashOf } from '../text/json-hash.ts'
import { commandHash } from './launch.ts'
import type { ServerTable } from './server-table.ts'
import type { Upstream } from './upstream.ts'

/** A server, or the copy of it that one caller has for itself. */
export interface Instance {
  readonly name: string
  /** A client of it, started when needed. */
  client(): Promise<Client>
}

export interface ServerInstancesParts {
  servers(): ServerTable
  principalOf(caller: Caller): Principal
  projectOf(caller: Caller): string | undefined
}

/** Instances of servers: one shared by all callers, or a caller's own. */
export class ServerInstances {
  readonly #parts: ServerInstancesParts

  constructor(parts: ServerInstancesParts) {
    this.#parts = parts
  }

  /** A server that is configured, by its key. */
  server(key: ServerKey): Upstream {
    const upstream = this.#parts.servers().get(key)
    if (!upstream) throw new Error(`Cannot find server "${key}": no such server is configured`)
    return upstream
  }

  /** The server that does an act, or the copy of its caller. */
  forAct(act: Act): Upstream {
    const upstream = this.server(act.serverKey)
    return upstream.spec.perCaller ? this.#parts.servers().copy(upstream.name, copyOf(act), act.project) : upstream
  }

  /** The instance for a caller; it is started on first use. */
  forCaller(server: ServerKey, caller: Caller): Instance {
    const servers = this.#parts.servers()
    if (!servers.get(server)?.spec.perCaller) return { name: server, client: () => this.server(server).client() }
    const project = this.#parts.projectOf(caller)
    const copy = copyOf({ principal: this.#parts.principalOf(caller), project })
    return { name: copyKey(server, copy), client: () => servers.copy(server, copy, project).client() }
  }

  /** The hash of the command or address that does an act; an act of the host itself has none. */
  commandOf(act: Act): string {
    const launch = this.#parts.servers().get(act.serverKey)?.spec.launch ?? { kind: 'unresolved' }
    return launch.kind === 'unresolved' ? '' : commandHash(launch)
  }
}

/** The key of a caller's own instance of a server. */
function copyOf({ principal, project = '' }: Pick<Act, 'principal' | 'project'>): string {
  return hashOf([principal.id, project]).slice(0, 16)
}
