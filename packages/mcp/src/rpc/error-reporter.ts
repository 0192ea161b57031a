/** Logs an internal error; the other side only hears that something failed. `what` names what failed, as in `Tool "x"`. */
export type Report = (error: unknown, what: string) => void

/** What internal errors are logged with. */
export interface ErrorReporter {
  /** Logs an internal error; the other side only hears that something failed. */
  report(error: unknown, what: string): void
}
