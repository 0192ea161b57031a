import type { ToolAddition } from '../../../server/extension.ts'
import { McpError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import { assertDuration } from './options.ts'

/** What an author says of a tool that can run as a task. */
export interface TaskDefinition {
  /** Whether it runs as a task for callers that can take one, or for nobody else. @default never */
  readonly task?: 'optional' | 'required'
  /** How long a task of it is kept, counted from its creation. @default what the server says */
  readonly ttlMs?: number
  /** How often clients should ask after a task of it. @default what the server says */
  readonly pollMs?: number
  /**
   * Whether the handler may be run again from its start when the process ended before it did: answers and the results of
   * `ctx.once` are kept, and everything else it does has to bear being done again. @default false
   */
  readonly resumable?: boolean
  /** Whether the handler asks within the call first, and becomes a task when it calls `ctx.detach()`. @default false */
  readonly asksFirst?: boolean
}

/** The members of a definition that belong to tasks. */
export const taskFields: readonly string[] = ['task', 'ttlMs', 'pollMs', 'resumable', 'asksFirst']

/** A tool that can run as a task. */
export type TaskSupport = TaskDefinition & Required<Pick<TaskDefinition, 'task'>>

/** Takes in what a definition says of tasks. */
export function taskSupport(name: string, definition: Fields): ToolAddition | undefined {
  const { task, ttlMs, pollMs, resumable, asksFirst } = definition as TaskDefinition
  const refuse = (problem: string): never => {
    throw new McpError('Misuse', `Cannot add tool "${name}": ${problem}`)
  }
  if (task === undefined) {
    const stray = taskFields.find((field) => definition[field] !== undefined)
    if (stray !== undefined) refuse(`"${stray}" is of tasks only, so say "task" as well`)
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
