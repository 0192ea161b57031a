import type { ClientHost } from '../../../client/extension.ts'
import { McpError } from '../../../wire/errors.ts'
import { kindOf } from '../../../wire/kind-of.ts'
import { signalMethod } from '../signal-method.ts'

/** A running call: its `handle`, the id of its task, or the task itself. */
export type SignalTarget = string | { readonly id: string | undefined }

/** Sends a signal to a running call. */
export async function sendSignal(host: ClientHost, target: SignalTarget, signal: string): Promise<void> {
  const to = typeof target === 'string' ? target : target?.id
  if (typeof signal !== 'string' || signal === '')
    throw new McpError('Misuse', `Cannot send a signal: its name must be a text, not ${kindOf(signal)}`)
  if (to === undefined || to === '')
    throw new McpError('Misuse', 'Cannot send a signal: the server gave this call no task; call it with a "handle"')
  await host.request(signalMethod, { to, signal })
}
