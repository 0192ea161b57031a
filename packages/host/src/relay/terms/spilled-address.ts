import { type Fields, RpcError } from '@trunkline/mcp'
import type { ServerKey } from '../../act/server-key.ts'

/** A large result that a server keeps, by the address that the server gave it. */
export interface SpilledAt {
  readonly server: ServerKey
  readonly uri: string
}

/** Seals values, so that others can neither read nor make one; `binding` is the receiver. */
export interface Seal {
  seal(value: unknown, binding: string): string
  open(sealed: unknown, binding: string): unknown
}

const scheme = 'trunkline://spilled/'

/**
 * The addresses under which callers read large results that servers keep. A server knows the host as one caller, so the
 * host binds each address to the caller whose call it answers; the one that the server gave stays here.
 */
export class SpilledAddresses {
  readonly #seal: Seal

  constructor(seal: Seal) {
    this.#seal = seal
  }

  /** True if an address is one of these. */
  owns(uri: string): boolean {
    return uri.startsWith(scheme)
  }

  /** The address for a caller. */
  shown({ server, uri }: SpilledAt, principal = ''): string {
    return `${scheme}${this.#seal.seal([server, uri], bindingOf(principal))}`
  }

  /** The result that a caller's address names, with the range or search added to it; another caller's is unknown. */
  find(uri: string, principal = ''): SpilledAt {
    const [sealed = '', ...query] = uri.slice(scheme.length).split('?')
    const [server, own] = this.#opened(uri, sealed, principal)
    return { server, uri: [own, ...query].join('?') }
  }

  #opened(uri: string, sealed: string, principal: string): readonly [server: ServerKey, uri: string] {
    try {
      return this.#seal.open(sealed, bindingOf(principal)) as [ServerKey, string]
    } catch {
      throw new RpcError(-32002, `Cannot find resource "${uri}": it is unknown, or was forgotten meanwhile`)
    }
  }
}

function bindingOf(principal: string): string {
  return JSON.stringify(['spilled', principal])
}

/** A result in which one address stands for another, in its links and in its texts. */
export function withAddress(result: Fields, from: string, to: string): Fields {
  if (!Array.isArray(result.content)) return result
  const content = result.content.map((block: Fields) => {
    if (block.type === 'text') return { ...block, text: String(block.text).replaceAll(from, to) }
    return block.type === 'resource_link' && block.uri === from ? { ...block, uri: to } : block
  })
  return { ...result, content }
}
