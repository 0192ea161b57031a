import { deadlineDefaults } from '../../../rpc/deadline.ts'
import type { CallOptions } from '../../../rpc/pending-call.ts'
import { McpError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { TaskCallOptions } from './client-task-options.ts'
import type { RemoteTask } from './remote-task.ts'

/**
 * Waits for the task of a call: aborting cancels the task. By default it waits as long as the server keeps the task.
 */
export async function waitForTask(task: RemoteTask, options: CallOptions & TaskCallOptions): Promise<Fields> {
  const { signal, maxTotalMs, onTask } = options
  const late = new AbortController()
  const timer = expiry(maxTotalMs, () => {
    const message = `Cannot finish task "${task.id}": not finished in ${maxTotalMs} ms in total`
    late.abort(new McpError('Timeout', message, { outcome: 'Unknown' }))
  })
  const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal
  try {
    if (onTask) void tellAll(task, onTask)
    return await task.outcome(either)
  } catch (error) {
    // the caller gave up
    await task[Symbol.asyncDispose]().catch(() => {})
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function expiry(ms: number | undefined, expire: () => void): ReturnType<typeof setTimeout> | undefined {
  if (ms === undefined || ms === deadlineDefaults.maxTotalMs || ms === Number.POSITIVE_INFINITY) return undefined
  return setTimeout(expire, ms)
}

async function tellAll(task: RemoteTask, onTask: NonNullable<TaskCallOptions['onTask']>): Promise<void> {
  try {
    for await (const state of task) onTask(state)
  } catch {
    // result() rejects with it
  }
}
