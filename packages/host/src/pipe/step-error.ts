/** Cause of a stop, for a program to branch on. */
export type StopReason = 'failed' | 'denied' | 'limit' | 'timeout' | 'cancelled'

/** A step that did not come to its end; only one that failed can be helped by its `onError`. */
export class StepError extends Error {
  override readonly name = 'StepError'
  readonly reason: StopReason
  /** The step with the items it ran for: `notes/save[3]`. */
  readonly step: string

  constructor(step: string, reason: StopReason, message: string) {
    super(message)
    this.step = step
    this.reason = reason
  }
}
