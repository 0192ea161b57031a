/** What a server under test is told: where its file is, whom to tell of effects, and at which point to die. */
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

/** What the tools of the server do, each step once and counted outside. */
export const steps = ['reserve', 'pay', 'mail'] as const

/** The step that its author declares to be repeatable. */
export const repeatable = 'mail'
