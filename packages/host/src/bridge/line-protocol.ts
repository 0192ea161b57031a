/** The protocol that a connection to the host is upgraded to: one message per line, as over stdio. */
export const lineProtocol = 'mcp-lines'

/** What `trunkline stdio` says of itself when it connects. */
export const lineHeaders = { client: 'trunkline-client', project: 'trunkline-project' } as const
