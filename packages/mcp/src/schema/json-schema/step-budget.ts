/** What work on a value is counted with; it ends the work by throwing. */
export interface Meter {
  /** Takes work off the budget. */
  pay(steps: number): void
  /** Goes some levels deeper, as far as the call stack may bear. */
  enter(levels: number): void
  leave(levels: number): void
}
