import type { ToolAddition } from '../../../server/extension.ts'
import { McpError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import { assertDuration } from './server-task-options.ts'

/** The members of a tool definition that belong to tasks. */
export interface TaskDefinition {
  /** Lets the tool run as a task, or only as one. @default never */
  readonly task?: 'optional' | 'required'
  /** Time that a task of it is kept after its creation. @default set by the server */
  readonly ttlMs?: number
  /** The polling interval for clients. @default what the server says */
  readonly pollMs?: number
  /**
   * Lets the handler run again from its start when the process ended: answers and the results of `ctx.once` are
   * stored, everything else is repeated. @default false
   */
  readonly resumable?: boolean
  /** Starts the handler within the call, which becomes a task when it calls `ctx.detach()`. @default false */
  readonly asksFirst?: boolean
}

/** The names of the members that belong to tasks. */
export const taskFields: readonly string[] = ['task', 'ttlMs', 'pollMs', 'resumable', 'asksFirst']

/** A tool that can run as a task. */
export type TaskSupport = TaskDefinition & Required<Pick<TaskDefinition, 'task'>>

/** Reads and checks the task members of a definition. */
export function taskSupport(name: string, definition: Fields): ToolAddition | undefined {
  const { task, ttlMs, pollMs, resumable, asksFirst } = definition as TaskDefinition
  const refuse = (problem: string): never => {
    throw new McpError('Misuse', `Cannot add tool "${name}": ${problem}`)
  }
  if (task === undefined) {
    const stray = taskFields.find((field) => definition[field] !== undefined)
    if (stray !== undefined) refuse(`"${stray}" applies to tasks only; set "task" as well`)
    return undefined
  }
  if (task !== 'optional' && task !== 'required') refuse(`"task" must be "optional" or "required"`)
  if (ttlMs !== undefined) assertDuration(ttlMs, `"ttlMs" of tool "${name}"`)
  if (pollMs !== undefined) assertDuration(pollMs, `"pollMs" of tool "${name}"`)
  const keep: TaskSupport = {
    task,
    ...(ttlMs !== undefined && { ttlMs }),
    ...(pollMs !== undefined && { pollMs }),
    ...(resumable !== undefined && { resumable }),
    ...(asksFirst !== undefined && { asksFirst }),
  }
  return { keep, listed: { execution: { taskSupport: task } } }
}
