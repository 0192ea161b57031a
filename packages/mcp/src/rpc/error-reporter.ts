/** Logs an internal error; the other side only gets a generic error. `what` names what failed, as in `Tool "x"`. */
export type Report = (error: unknown, what: string) => void

/** Logs internal errors. */
export interface ErrorReporter {
  /** Logs an internal error; the other side only gets a generic error. */
  report(error: unknown, what: string): void
}
