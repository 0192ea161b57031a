import type { IncomingHttpHeaders } from 'node:http'
import type { z } from 'zod'
import type { ConnectedProcesses } from '../gateway/processes/connected-processes.ts'
import type { AcceptedSocket } from '../gateway/processes/socket-processes.ts'
import type { TerminalProcess } from '../inbox/proof/tickets.ts'
import type { RouteServices } from './services.ts'

/**
 * Authentication that a route needs: the token of the command or the secret of a page and nothing more, besides that a
 * process with a terminal, or a person. A person is any process that no caller and no server has started.
 */
export type RouteNeeds = 'nothing' | 'terminal' | 'person'

/** One address of the API. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PATCH'
  /** With parameters in braces. */
  readonly path: string
  readonly needs: RouteNeeds
  readonly says: string
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly answer: z.ZodType
}

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
  /** The connection of the request, and the lookup of the processes at its other end. */
  readonly socket: AcceptedSocket
  readonly connections: ConnectedProcesses
  /** Headers of the request. */
  readonly headers: IncomingHttpHeaders
}

type Unchecked = z.ZodType<unknown>

type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string } & PathParameters<Rest>
  : unknown

/** An address of the API with its handler. */
export interface HandledRoute<
  Path extends string,
  Answer extends z.ZodType,
  Query extends z.ZodType = Unchecked,
  Body extends z.ZodType = Unchecked,
> extends Route {
  readonly path: Path
  readonly query?: Query
  readonly body?: Body
  readonly answer: Answer
  /** Handles a request; its input are the parameters of the path, the query and the body together. */
  handle(
    input: PathParameters<Path> & z.output<Query> & z.output<Body>,
    services: RouteServices,
    context: RouteContext,
  ): z.output<Answer> | Promise<z.output<Answer>>
}

/** Declares a route: its address, its schemas and its handler, typed by each other. */
export function route<
  const Path extends string,
  Answer extends z.ZodType,
  Query extends z.ZodType = Unchecked,
  Body extends z.ZodType = Unchecked,
>(declared: HandledRoute<Path, Answer, Query, Body>): HandledRoute<Path, Answer, Query, Body> {
  return declared
}

/** Answer of a route that only confirms. */
export const done = { done: true } as const
