import { McpError, type Outcome } from '@trunkline/mcp'

const unknownAuthority = 'its certificate is of no known authority; give that as "tls: { ca }"'

/** Remedies by the code of the system, or by the beginning of an answer of Redis. */
const remedies: readonly (readonly [string, string])[] = [
  ['ECONNREFUSED', 'no server listens at this address; start it, or correct the address'],
  ['ENOTFOUND', 'there is no host of this name; correct the address'],
  ['ETIMEDOUT', 'the server does not answer; check the address and the firewall'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', unknownAuthority],
  ['SELF_SIGNED_CERT_IN_CHAIN', unknownAuthority],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', unknownAuthority],
  ['Connection timeout', 'the server does not answer; check the address and the firewall'],
  ['WRONGPASS', 'the user or the password is wrong; correct it in the address'],
  ['NOAUTH', 'it takes a password; give it in the address'],
  ['ERR AUTH', 'it has no password; remove the password from the address'],
  [
    'NOPERM',
    'the user has too few rights; allow it the keys and channels of the prefix, and the commands "+@all -@dangerous +info"',
  ],
  ['ERR DB index', 'there is no database of this number; correct the end of the address'],
  ['ERR max number of clients', 'it has too many connections; raise maxclients'],
  ['OOM', 'its memory is full; raise maxmemory'],
  ['READONLY', 'it is a replica, which takes no writes; give the address of the primary'],
]

/** The error of a store for an error of `redis`: callers of a server do not see it, its operator does. */
export function storeError(error: unknown, outcome?: Outcome): McpError {
  if (error instanceof McpError) return error
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const [, remedy] = remedies.find(([start]) => code === start || message.startsWith(start)) ?? []
  return new McpError('Store', `Cannot use Redis: ${remedy ?? message}`, { cause: error, outcome })
}
