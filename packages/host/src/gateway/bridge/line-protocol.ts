/** The protocol that a connection to the host is upgraded to: one message per line, as over stdio. */
export const lineProtocol = 'mcp-lines'

/** Headers by which `trunkline stdio` describes itself when it connects. */
export const lineHeaders = { client: 'trunkline-client', project: 'trunkline-project' } as const

/** The header with which a program names its working directory. */
export function projectHeader(directory: string): { readonly [name: string]: string } {
  return { [lineHeaders.project]: encodeURIComponent(directory) }
}
