import { type MetadataParts, type ProtectedResource, resourceAt, resourceMetadata } from './resource-metadata.ts'

/** The paths of the HTTP+SSE transport: the stream, and the messages posted to it. */
export interface SsePaths {
  readonly path: string
  readonly postPath: string
}

/** The protected resources of a server: one, or two when it serves HTTP+SSE as well. */
export class ProtectedResources {
  /** The resource of all transports but HTTP+SSE. */
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

  /** The audiences of this server. */
  get names(): readonly string[] {
    return [...this.main.names, ...(this.#oldest?.names ?? [])]
  }

  /** The protected resource metadata, by path. */
  documents(parts: MetadataParts): ReadonlyMap<string, string> {
    const oldest = this.#oldest
    return new Map([
      // the metadata at the root describes the main resource
      ...(oldest ? oldest.metadataPaths.map((path) => [path, resourceMetadata(oldest, parts)] as const) : []),
      ...this.main.metadataPaths.map((path) => [path, resourceMetadata(this.main, parts)] as const),
    ])
  }
}
