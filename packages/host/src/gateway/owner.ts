import { parseTemplate, type UriTemplate } from '@trunkline/mcp/relay'
import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { ServerName } from '../act/server-name.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { isInUse, type View } from './view.ts'

/** A resource by the address that its server knows it by. */
export interface OwnedResource {
  readonly server: ServerKey
  readonly uri: string
}

export interface ResourceOwnersLimits {
  /** Parsed templates that are kept. @default 10_000 */
  readonly maxTemplates?: number
}

const defaults = { maxTemplates: 10_000 } as const satisfies ResourceOwnersLimits

/**
 * Tells resources of several servers apart. An address belongs to the first server that came with it; a resource of
 * another server with the same address is shown in a form that names the server, and is understood in that form.
 */
export class ResourceOwners {
  readonly #catalogue: Catalogue
  readonly #templates = new Map<string, UriTemplate | undefined>()
  readonly #maxTemplates: number

  constructor(catalogue: Catalogue, { maxTemplates = defaults.maxTemplates }: ResourceOwnersLimits = {}) {
    this.#catalogue = catalogue
    this.#maxTemplates = maxTemplates
  }

  /** Number of parsed templates kept. */
  get templates(): number {
    return this.#templates.size
  }

  /** The address of a server's resource as a view shows it. */
  shown({ server, uri }: OwnedResource, view: View): string {
    const owner = this.#ownerOf(uri, view)
    // also of a server that is alone: those that come later find its addresses taken
    const isOwn =
      owner === undefined ? this.#catalogue.owners.claim('resource', uri, server, view.project) : owner === server
    return isOwn || isAlone(view) ? uri : addressNaming(server, uri)
  }

  /** A template of a server as a view shows it. */
  shownTemplate(server: ServerKey, template: string, view: View): string {
    if (isAlone(view)) return template
    this.#claimTemplates(view)
    return this.#catalogue.owners.claim('template', template, server, view.project)
      ? template
      : addressNaming(server, template)
  }

  /** The resource and its server that an address in a view stands for; undefined if it is not known. */
  find(uri: string, view: View): OwnedResource | undefined {
    const servers = view.servers()
    const [only] = servers
    if (isAlone(view)) return only === undefined ? undefined : { server: only, uri }
    const inside = unwrapped(uri)
    const key = inside && servers.find((one) => serverNameOf(one) === inside.server)
    if (inside && key !== undefined) return { server: key, uri: inside.uri }
    const server = this.#ownerOf(uri, view)
    return server === undefined ? undefined : { server, uri }
  }

  #ownerOf(uri: string, view: View): ServerKey | undefined {
    const owner = this.#catalogue.owners.ownerOf('resource', uri, view.project)
    if (owner !== undefined && view.servers().includes(owner)) return owner
    this.#claimTemplates(view)
    const servers = this.#catalogue.byAcceptance(view.servers())
    return servers.find((server) => this.#ownTemplates(server, view).some((text) => this.#fits(text, uri)))
  }

  /** The templates that are a server's own. */
  #ownTemplates(server: ServerKey, { project }: View): readonly string[] {
    const { owners } = this.#catalogue
    return this.#acceptedTemplates(server).filter((text) => owners.ownerOf('template', text, project) === server)
  }

  /** The templates of a server that a person accepted: no other takes an address. */
  #acceptedTemplates(server: ServerKey): readonly string[] {
    const entries = this.#catalogue.entries(server).filter((entry) => entry.kind === 'template' && isInUse(entry))
    return entries.map(({ original }) => original)
  }

  #claimTemplates(view: View): void {
    const { owners } = this.#catalogue
    const isNew = (server: ServerKey): boolean =>
      this.#acceptedTemplates(server).some((text) => owners.ownerOf('template', text, view.project) === undefined)
    const servers = view.servers()
    if (!servers.some(isNew)) return
    for (const server of this.#catalogue.byAcceptance(servers)) {
      for (const text of this.#acceptedTemplates(server)) owners.claim('template', text, server, view.project)
    }
  }

  #fits(template: string, uri: string): boolean {
    if (!this.#templates.has(template)) {
      if (this.#templates.size >= this.#maxTemplates) this.#templates.clear()
      this.#templates.set(template, parsed(template))
    }
    return this.#templates.get(template)?.match(uri) !== undefined
  }
}

/** True if a view shows one server, under its own addresses. */
function isAlone(view: View): boolean {
  return view.servers().length <= 1
}

/** An address or a template in the form that names its server. */
export function addressNaming(server: ServerKey, text: string): string {
  return `trunkline+${serverNameOf(server)}:${text}`
}

/** Server and address in such a form; undefined for any other address. */
export function unwrapped(text: string): { readonly server: ServerName; readonly uri: string } | undefined {
  const [, server, uri] = /^trunkline\+([a-z0-9-]+):(.+)$/s.exec(text) ?? []
  return server === undefined || uri === undefined ? undefined : { server, uri }
}

function parsed(text: string): UriTemplate | undefined {
  try {
    return parseTemplate(text)
  } catch {
    // a template that cannot be read fits nothing
    return undefined
  }
}
