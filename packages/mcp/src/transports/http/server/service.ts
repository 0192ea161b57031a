import type { Channel } from '../../../rpc/channel.ts'
import type { Incoming } from '../../../rpc/incoming.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { Agreed } from '../session/session.ts'

/** What an endpoint needs of the server behind it. */
export interface Service {
  /** Answers one request that explains itself, or that belongs to no session in the revision it names. */
  answer(incoming: Incoming, revision?: string): Promise<Fields> | Fields
  /** Serves a conversation. */
  serve(channel: Channel): Agreed
  /** Ends what would never end, and resolves when the requests of every conversation are answered. */
  finish(): Promise<void>
  /** The requests of every conversation that are worked on. */
  underWay(): readonly Incoming[]
  /** Takes note of an error that nobody outside should know more about. */
  report(error: unknown, what: string): void
  /** The ways in which the revisions served open a conversation. */
  readonly openings: ReadonlySet<'handshake' | 'none'>
  /** Whether a revision is served that can be agreed on in a handshake. */
  agrees(revision: string): boolean
}
