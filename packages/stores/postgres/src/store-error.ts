import { McpError } from '@trunkline/mcp'

/** Remedies by the code of PostgreSQL or of the system. */
const remedies: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'no server listens at this address; start it, or correct the address'],
  ['ENOTFOUND', 'there is no host of this name; correct the address'],
  ['ETIMEDOUT', 'the server does not answer; check the address and the firewall'],
  ['28P01', 'the password is wrong; correct it in the address'],
  ['28000', 'the user may not connect; correct the user, or pg_hba.conf'],
  ['3D000', 'the database does not exist; create it, or correct the address'],
  ['42501', 'the user has too few rights; let it create the schema, or create the schema for it'],
  ['53300', 'the server has too many connections; lower "poolSize", or raise max_connections'],
])

/** The error of a store for an error of `pg`: callers of a server do not see it, its operator does. */
export function storeError(error: unknown): McpError {
  if (error instanceof McpError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const problem = remedies.get(code) ?? (error instanceof Error ? error.message : String(error))
  return new McpError('Store', `Cannot use PostgreSQL: ${problem}`, { cause: error })
}
