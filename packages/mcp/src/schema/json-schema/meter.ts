/** Counts the steps of a validation, and throws when the budget is used up. */
export interface Meter {
  /** Spends steps. */
  pay(steps: number): void
  /** Goes some levels deeper, as far as the call stack may bear. */
  enter(levels: number): void
  leave(levels: number): void
}
