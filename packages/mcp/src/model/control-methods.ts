import type { ControlMethods } from '../rpc/control-methods.ts'

/** The methods that act on calls in flight; `initialize` cannot be cancelled. */
export const controlMethods = {
  cancelled: 'notifications/cancelled',
  progress: 'notifications/progress',
  notCancellable: new Set(['initialize']),
} as const satisfies ControlMethods
