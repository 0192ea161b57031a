import type { Incoming } from '../../rpc/incoming.ts'
import { McpError } from '../../wire/errors.ts'
import type { Caller, Conversation } from '../dialect.ts'

/** The caller of a session: the client of `initialize`, with the principal of this request. */
export function sessionCaller({ sender }: Incoming, { caller }: Conversation): Caller {
  // a conversation has a handshake dialect only after "initialize"
  if (!caller) throw new McpError('Misuse', 'Cannot serve a request: "initialize" was not called')
  if (sender?.principal === undefined) return caller
  const { principal, scopes, claims } = sender
  return { ...caller, principal, scopes, claims }
}
