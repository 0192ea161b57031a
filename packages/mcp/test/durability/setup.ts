/** Setup of a server under test: its file, the counter of effects, and the point at which to die. */
export interface Setup {
  readonly file: string
  /** The port of the process that counts effects. */
  readonly counter: number
  /** The point of a task's life at which the process kills itself. */
  readonly killAt?: string
  /** A file that every point is written to, in order. */
  readonly pointsTo?: string
  readonly http?: boolean
}

/** Steps of the server's tools, each done once and counted outside. */
export const steps = ['reserve', 'pay', 'mail'] as const

/** The step that its author declares to be repeatable. */
export const repeatable = 'mail'
