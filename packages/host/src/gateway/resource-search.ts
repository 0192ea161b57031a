import { type Fields, RpcError } from '@trunkline/mcp'
import { newActId } from '../act/act-id.ts'
import { Refused } from '../act/refused.ts'
import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { ActHandler, Doing } from '../acts/doing.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { LargeResult } from '../relay/spills/large-result.ts'
import { UpstreamError } from '../servers/upstream-error.ts'
import type { OwnedResource, ResourceOwners } from './owner.ts'
import { withShownLinks } from './shown-links.ts'
import type { View } from './view.ts'

export interface ResourceSearchLimits {
  /** Servers that are asked for one address. @default 32 */
  readonly maxServersAsked?: number
  /** Addresses that no server had and that are remembered for a while. @default 1_000 */
  readonly maxMissing?: number
}

export interface ResourceSearchParts {
  readonly catalogue: Catalogue
  readonly owners: ResourceOwners
  /** The stack of acts, to the server and back. */
  readonly stack: ActHandler
  readonly limits?: ResourceSearchLimits
}

const defaults = { maxServersAsked: 32, maxMissing: 1_000 } as const satisfies ResourceSearchLimits
/** Time for which no server is asked again for an address that none had, in milliseconds. */
const missingMs = 10_000

/**
 * Finds unlisted addresses: the servers that have resources are asked for them one after the other, first accepted
 * first. The first that has it owns it from then on. Each try is an act of its own.
 */
export class ResourceSearch {
  readonly #parts: ResourceSearchParts
  readonly #limits: Required<ResourceSearchLimits>
  /** Times until which no server is asked, by address and servers. */
  readonly #missing = new Map<string, number>()

  constructor(parts: ResourceSearchParts) {
    this.#parts = parts
    this.#limits = { ...defaults, ...parts.limits }
  }

  /** Number of remembered addresses that no server had. */
  get missing(): number {
    return this.#missing.size
  }

  /** Handler that reads an unlisted address. */
  reading(uri: string, view: View): ActHandler {
    return async (doing) => {
      const servers = this.#candidates(view)
      const key = JSON.stringify([uri, servers])
      if ((this.#missing.get(key) ?? 0) > Date.now()) throw notFound(uri, [])
      const failed: string[] = []
      for (const server of servers) {
        const result = await this.#ask(server, doing, failed)
        if (!result) continue
        this.#parts.catalogue.owners.claim('resource', uri, server, view.project)
        return withShownLinks(result, (one) => this.#parts.owners.shown({ server, uri: one }, view))
      }
      if (failed.length === 0) this.#remember(key)
      throw notFound(uri, failed)
    }
  }

  /** The servers that may have an unlisted address, each with the address. */
  everywhere(uri: string, view: View): readonly OwnedResource[] {
    return this.#candidates(view).map((server) => ({ server, uri }))
  }

  #candidates(view: View): readonly ServerKey[] {
    return this.#parts.catalogue.withResources(view.servers()).slice(0, this.#limits.maxServersAsked)
  }

  /** A server's answer for the address; undefined when it has nothing there, or may not be asked. */
  async #ask(server: ServerKey, doing: Doing, failed: string[]): Promise<Fields | undefined> {
    const act = { ...doing.act, id: newActId(), server: serverNameOf(server), serverKey: server }
    try {
      return await this.#parts.stack({ ...doing, act })
    } catch (error) {
      doing.call.signal.throwIfAborted()
      // the server has it, and no other one is asked
      if (error instanceof LargeResult) throw error
      const isDenied = error instanceof Refused && error.outcome === 'denied'
      if (isDenied || isNotFound(error)) return undefined
      if (!(error instanceof RpcError || error instanceof UpstreamError)) throw error
      failed.push(`${serverNameOf(server)}: ${error.message}`)
      return undefined
    }
  }

  #remember(key: string): void {
    const now = Date.now()
    for (const [known, until] of this.#missing) {
      if (until > now && this.#missing.size < this.#limits.maxMissing) break
      this.#missing.delete(known)
    }
    this.#missing.set(key, now + missingMs)
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof RpcError && (error.code === -32002 || error.code === -32602)
}

function notFound(uri: string, failed: readonly string[]): RpcError {
  const more = failed.length === 0 ? '' : `; these could not be asked: ${failed.join('; ')}`
  return new RpcError(-32002, `Cannot find resource "${uri}": no server here has it${more}`)
}
