/** One start of the client, as the suite tells it by an argument and variables. */
export interface Start {
  /** The address of the server. */
  readonly url: string
  readonly scenario: string
  /** The newest revision that the client offers. */
  readonly newest: string
  /** Facts about the scenario, as JSON. */
  readonly context: string
}

/** Reads the start of this process, whose last argument is the address. */
export function ownStart(): Start {
  const {
    MCP_CONFORMANCE_SCENARIO: scenario = '',
    MCP_CONFORMANCE_PROTOCOL_VERSION: newest = '',
    MCP_CONFORMANCE_CONTEXT: context = '{}',
  } = process.env
  return { url: process.argv.at(-1) ?? '', scenario, newest, context }
}
