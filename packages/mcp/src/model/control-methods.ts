import type { ControlMethods } from '../rpc/control-methods.ts'

/** The messages of this protocol that act on calls in flight; a handshake that has not ended cannot be cancelled. */
export const controlMethods = {
  cancelled: 'notifications/cancelled',
  progress: 'notifications/progress',
  notCancellable: new Set(['initialize']),
} as const satisfies ControlMethods
