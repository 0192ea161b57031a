/** The method names that act on calls in flight, which the protocol above gives to a peer. */
export interface ControlMethods {
  readonly cancelled: string
  readonly progress: string
  /** Requests that cannot be cancelled. */
  readonly notCancellable: ReadonlySet<string>
}
