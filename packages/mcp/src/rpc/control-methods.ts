/** The names of the messages that act on calls in flight; they belong to the protocol, and a peer only goes by them. */
export interface ControlMethods {
  readonly cancelled: string
  readonly progress: string
  /** Requests that cannot be cancelled. */
  readonly notCancellable: ReadonlySet<string>
}
