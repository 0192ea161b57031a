import { type MetadataParts, type ProtectedResource, resourceAt, resourceMetadata } from './resource-metadata.ts'

/** Where the oldest transport over HTTP is served: its streams, and what is posted to them. */
export interface SsePaths {
  readonly path: string
  readonly postPath: string
}

/** What a server is to its clients, who call it by the address they were given: one resource, or two. */
export class ProtectedResources {
  /** What it is to all but the clients of the oldest transport. */
  readonly main: ProtectedResource
  readonly #oldest: ProtectedResource | undefined
  readonly #oldestPaths: readonly string[]

  constructor(address: string, sse?: SsePaths) {
    this.main = resourceAt(address)
    this.#oldest = sse && resourceAt(`${this.main.origin}${sse.path}`)
    this.#oldestPaths = sse ? [sse.path, sse.postPath] : []
  }

  /** The resource that a path belongs to. */
  at(path: string): ProtectedResource {
    return this.#oldest && this.#oldestPaths.includes(path) ? this.#oldest : this.main
  }

  /** The names by which tokens may be meant for this server. */
  get names(): readonly string[] {
    return [...this.main.names, ...(this.#oldest?.names ?? [])]
  }

  /** What the server says about who can authorize requests to it, by the path where that can be read. */
  documents(parts: MetadataParts): ReadonlyMap<string, string> {
    const oldest = this.#oldest
    return new Map([
      // what is at the root stands for the server as a whole
      ...(oldest ? oldest.metadataPaths.map((path) => [path, resourceMetadata(oldest, parts)] as const) : []),
      ...this.main.metadataPaths.map((path) => [path, resourceMetadata(this.main, parts)] as const),
    ])
  }
}
