import type { IncomingHttpHeaders } from 'node:http'
import type { ConnectedProcesses } from '../gateway/processes/connected-processes.ts'
import type { AcceptedSocket } from '../gateway/processes/socket-processes.ts'
import type { TerminalProcess } from '../inbox/proof/tickets.ts'
import type { RouteAnswer, RouteInput, RouteName } from './routes.ts'

/** Context of one request. */
export interface RouteContext {
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /** True if a page asks, and not the command. */
  readonly isPage: boolean
  /** True if it was proven that the person asks. @default false */
  readonly isProven?: boolean
  /** The process that asks, with its terminal; undefined where it has none or cannot be seen. @default it has none */
  terminal?(): Promise<TerminalProcess | undefined>
  /** The directory that the request is made in; undefined where it names none. */
  readonly directory?: string | undefined
}

/** Context of a request that decides something for the person. */
export interface DecidingContext extends RouteContext {
  /** The connection of the request, and the lookup of the processes at its other end. */
  readonly socket: AcceptedSocket
  readonly connections: ConnectedProcesses
  /** Headers of the request. */
  readonly headers: IncomingHttpHeaders
}

/** Handlers of all routes. */
export type Handlers = {
  readonly [Name in RouteName]: (
    input: RouteInput<Name>,
    context: Name extends 'mayDecide' ? DecidingContext : RouteContext,
  ) => RouteAnswer<Name> | Promise<RouteAnswer<Name>>
}

/** Answer of a route that only confirms. */
export const done = { done: true } as const
