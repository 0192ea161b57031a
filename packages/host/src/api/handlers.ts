import type { RouteAnswer, RouteInput, RouteName } from './routes.ts'

/** What answers each route. */
export type Handlers = {
  readonly [Name in RouteName]: (input: RouteInput<Name>) => RouteAnswer<Name> | Promise<RouteAnswer<Name>>
}

/** The answer of what has nothing to say but that it was done. */
export const done = { done: true } as const
