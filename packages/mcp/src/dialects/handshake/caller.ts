import type { Incoming } from '../../rpc/incoming.ts'
import { McpError } from '../../wire/errors.ts'
import type { Caller, Conversation } from '../dialect.ts'

/** Who is calling: whoever introduced themselves, as the transport knows them at this request. */
export function sessionCaller({ sender }: Incoming, { caller }: Conversation): Caller {
  // a conversation only has a dialect of this shape once somebody introduced themselves
  if (!caller) throw new McpError('Misuse', 'Cannot serve a request: "initialize" was not called')
  if (sender?.principal === undefined) return caller
  const { principal, scopes, claims } = sender
  return { ...caller, principal, scopes, claims }
}
