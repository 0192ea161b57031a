import { McpError, type Outcome } from '@trunkline/mcp'

const unknownAuthority = 'its certificate is of no known authority; give that as "tls: { ca }"'

/** Remedies by the code of PostgreSQL or of the system. */
const remedies: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'no server listens at this address; start it, or correct the address'],
  ['ENOTFOUND', 'there is no host of this name; correct the address'],
  ['ETIMEDOUT', 'the server does not answer; check the address and the firewall'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', unknownAuthority],
  ['SELF_SIGNED_CERT_IN_CHAIN', unknownAuthority],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', unknownAuthority],
  ['28P01', 'the password is wrong; correct it in the address'],
  ['28000', 'the user may not connect; correct the user, or pg_hba.conf'],
  ['3D000', 'the database does not exist; create it, or correct the address'],
  ['42501', 'the user has too few rights; let it create the schema, or create the schema for it'],
  ['25006', 'it is a standby, which takes no writes; give the address of the primary'],
  ['53300', 'the server has too many connections; lower "poolSize", or raise max_connections'],
])

const noConnection = 'no connection in time; check the address and the firewall, or raise "poolSize"'

/** Remedies by what `pg` says of errors that have no code. */
const remediesByText: ReadonlyMap<string, string> = new Map([
  ['timeout exceeded when trying to connect', noConnection],
  ['Connection terminated due to connection timeout', noConnection],
  [
    'The server does not support SSL connections',
    'it does not take TLS; turn it on there, or leave it out of the address',
  ],
])

/** The error of a store for an error of `pg`: callers of a server do not see it, its operator does. */
export function storeError(error: unknown, outcome?: Outcome): McpError {
  if (error instanceof McpError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const message = error instanceof Error ? error.message : String(error)
  const problem = remedies.get(code) ?? remediesByText.get(message) ?? message
  return new McpError('Store', `Cannot use PostgreSQL: ${problem}`, { cause: error, outcome })
}
