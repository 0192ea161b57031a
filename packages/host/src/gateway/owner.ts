import { parseTemplate, type UriTemplate } from '@trunkline/mcp/relay'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { View } from './view.ts'

/** Addresses that are remembered; beyond it the oldest are looked up anew. */
const maxRemembered = 50_000

/** Knows which server a resource belongs to: the first that listed it, else the first whose template fits. */
export class ResourceOwners {
  readonly #catalogue: Catalogue
  readonly #listed = new Map<string, string>()
  readonly #templates = new Map<string, UriTemplate | undefined>()

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
  }

  /** Notes that a server listed an address; tells whether it is its own here. */
  claim(uri: string, server: string): boolean {
    const owner = this.#listed.get(uri)
    if (owner !== undefined) return owner === server
    if (this.#listed.size >= maxRemembered) this.#listed.delete(this.#listed.keys().next().value ?? '')
    this.#listed.set(uri, server)
    return true
  }

  /** The server of a view that an address belongs to, as far as that is known. */
  ownerOf(uri: string, view: View): string | undefined {
    const servers = view.servers()
    if (servers.length === 1) return servers[0]
    const listed = this.#listed.get(uri)
    if (listed !== undefined && servers.includes(listed)) return listed
    return servers.find((server) => this.#fits(server, uri))
  }

  #fits(server: string, uri: string): boolean {
    const templates = this.#catalogue.entries(server).filter(({ kind }) => kind === 'template')
    return templates.some(({ original }) => this.#template(original)?.match(uri) !== undefined)
  }

  #template(text: string): UriTemplate | undefined {
    if (!this.#templates.has(text)) this.#templates.set(text, parsed(text))
    return this.#templates.get(text)
  }
}

function parsed(text: string): UriTemplate | undefined {
  try {
    return parseTemplate(text)
  } catch {
    // a template that cannot be read fits nothing
    return undefined
  }
}
