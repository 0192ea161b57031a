/** The rules of a revision over HTTP. */
export interface HttpRules {
  /** True if every request of a session has an `MCP-Protocol-Version` header. */
  readonly versionHeader: boolean
  /** True if a stream starts with an empty event with an id, so that a client can resume it. */
  readonly primes: boolean
  /** True if it uses Streamable HTTP; the oldest revision has HTTP+SSE. */
  readonly streamable: boolean
  /** True if the revision has header parameters, so that an invalid mark makes a tool invalid. */
  readonly labels: boolean
}
