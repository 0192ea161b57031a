/** The rules of a revision over HTTP. */
export interface HttpRules {
  /** Whether every request of a session has an `MCP-Protocol-Version` header. */
  readonly versionHeader: boolean
  /** Whether a stream starts with an empty event with an id, so that a client can resume it. */
  readonly primes: boolean
  /** Whether it uses Streamable HTTP; the oldest revision has HTTP+SSE. */
  readonly streamable: boolean
  /** Whether the revision has header parameters, so that an invalid mark makes a tool invalid. */
  readonly labels: boolean
}
