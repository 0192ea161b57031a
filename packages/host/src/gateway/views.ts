import { aggregateView, type Profile, profileView, serverView, type View } from './view.ts'

export interface ViewsOptions {
  /** The servers that there are at the moment. */
  servers(): readonly string[]
  /** The one server that `/mcp` offers, under its own names. @default all of them */
  readonly only?: string | undefined
}

/** What each address of the gateway offers: `/mcp`, `/mcp/server/NAME` and `/mcp/profile/NAME`. */
export class Views {
  readonly #options: ViewsOptions
  #profiles: ReadonlyMap<string, Profile> = new Map()

  constructor(options: ViewsOptions) {
    this.#options = options
  }

  /** Offers these choices of the aggregate, each at an address of its own. */
  setProfiles(profiles: { readonly [name: string]: Profile }): void {
    this.#profiles = new Map(Object.entries(profiles))
  }

  /** The view at an address, and what it is called. */
  at(path: string): { readonly name: string; readonly view: View } | undefined {
    const { servers, only } = this.#options
    if (path === '/mcp' && only === undefined) return { name: 'trunkline', view: aggregateView(servers) }
    const profile = /^\/mcp\/profile\/([\w-]+)$/.exec(path)?.[1]
    if (profile !== undefined) return this.#profile(profile)
    const name = path === '/mcp' ? only : /^\/mcp\/server\/([a-z0-9-]+)$/.exec(path)?.[1]
    return name !== undefined && servers().includes(name) ? { name, view: serverView(name) } : undefined
  }

  #profile(name: string) {
    if (!this.#profiles.has(name)) return undefined
    // one that was removed offers nothing any more
    const view = profileView(this.#options.servers, () => this.#profiles.get(name) ?? { servers: [] })
    return { name, view }
  }
}
