import type { Channel } from '../../../rpc/channel.ts'
import type { Incoming } from '../../../rpc/incoming.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { Agreed } from '../session/session.ts'

/** The server behind an endpoint. */
export interface Service {
  /** Answers one request without a session. */
  answer(incoming: Incoming, revision?: string): Promise<Fields> | Fields
  /** Serves a channel. */
  serve(channel: Channel): Agreed
  /** Ends listen requests, and resolves when all requests are answered. */
  finish(): Promise<void>
  /** The requests in flight of all channels. */
  underWay(): readonly Incoming[]
  /** Logs an internal error. */
  report(error: unknown, what: string): void
  /** The openings of the served revisions. */
  readonly openings: ReadonlySet<'handshake' | 'none'>
  /** True if a handshake revision is served. */
  agrees(revision: string): boolean
}
