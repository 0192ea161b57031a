/** How a revision travels over HTTP. */
export interface HttpRules {
  /** Whether the agreed version travels in a header of every request of a session. */
  readonly versionHeader: boolean
  /** Whether a stream opens with an event that carries nothing but an id, so that a client can come back to it. */
  readonly primes: boolean
  /** Whether it goes over one endpoint; the oldest revision has a transport of its own. */
  readonly streamable: boolean
  /** Whether a tool may mark arguments that travel beside a call as well, so that a bad mark makes it a bad tool. */
  readonly labels: boolean
}
