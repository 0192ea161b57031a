import type { z } from 'zod'

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
