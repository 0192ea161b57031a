import type { RouteAnswer, RouteInput, RouteName } from './routes.ts'

/** What surrounds one request. */
export interface RouteContext {
  /** Aborts when whoever asked is gone. */
  readonly signal: AbortSignal
  /** Whether a page asks, and not the command. */
  readonly isPage: boolean
}

/** What answers each route. */
export type Handlers = {
  readonly [Name in RouteName]: (
    input: RouteInput<Name>,
    context: RouteContext,
  ) => RouteAnswer<Name> | Promise<RouteAnswer<Name>>
}

/** The answer of what has nothing to say but that it was done. */
export const done = { done: true } as const
