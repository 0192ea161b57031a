import type { IncomingHttpHeaders } from 'node:http'
import type { ConnectedProcesses } from '../processes/connected-processes.ts'
import type { AcceptedSocket } from '../processes/socket-processes.ts'
import type { TerminalProcess } from '../proof/tickets.ts'
import type { RouteAnswer, RouteInput, RouteName } from './routes.ts'

/** What surrounds one request. */
export interface RouteContext {
  /** Aborts when whoever asked is gone. */
  readonly signal: AbortSignal
  /** Whether a page asks, and not the command. */
  readonly isPage: boolean
  /** Whether it was proven that the person asks. @default false */
  readonly isProven?: boolean
  /** The process that asks, with its terminal; undefined where it has none or cannot be seen. @default it has none */
  terminal?(): Promise<TerminalProcess | undefined>
  /** The directory that the request is made in; undefined where it names none. */
  readonly directory?: string | undefined
}

/** What also surrounds a request that decides something for the person. */
export interface DecidingContext extends RouteContext {
  /** The connection that the request came over, and what tells which processes are at its other end. */
  readonly socket: AcceptedSocket
  readonly connections: ConnectedProcesses
  /** What was sent beside the input. */
  readonly headers: IncomingHttpHeaders
}

/** What answers each route. */
export type Handlers = {
  readonly [Name in RouteName]: (
    input: RouteInput<Name>,
    context: Name extends 'mayDecide' ? DecidingContext : RouteContext,
  ) => RouteAnswer<Name> | Promise<RouteAnswer<Name>>
}

/** The answer of what has nothing to say but that it was done. */
export const done = { done: true } as const
