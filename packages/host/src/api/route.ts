import type { z } from 'zod'

/** One address of the API. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PATCH'
  /** With parameters in braces. */
  readonly path: string
  readonly says: string
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly answer: z.ZodType
}
