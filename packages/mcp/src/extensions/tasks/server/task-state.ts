import type { ClientQuestion } from '../../../dialects/dialect.ts'
import type { TaskState } from '../../../model/task.ts'
import type { StoredTask, TaskEntry } from '../../../stores/task-store.ts'
import type { Fields, WireError } from '../../../wire/messages.ts'
import type { TaskWork } from './task-work.ts'

type Open = ReadonlyMap<string, { readonly question: ClientQuestion }>

/** The state of a task: `input_required` as long as a question is open. */
export function stateOf(task: StoredTask, open: Open): TaskState {
  const { id, status, statusMessage, createdAt, updatedAt, expiresAt, work, outcome } = task
  const { result, error } = (outcome ?? {}) as { result?: Fields; error?: WireError }
  const waits = status === 'working' && open.size > 0
  return {
    id,
    status: waits ? 'input_required' : status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    updatedAt,
    ttlMs: expiresAt === null ? null : expiresAt - createdAt,
    pollMs: (work as unknown as TaskWork).pollMs,
    ...(waits && { questions: Object.fromEntries([...open].map(([key, { question }]) => [key, question])) }),
    ...(result && { result }),
    ...(error && { error }),
  }
}

/** The open questions among the stored entries of a task. */
export function openQuestions(entries: readonly TaskEntry[]): Map<string, { readonly question: ClientQuestion }> {
  const answered = new Set(entries.filter(({ kind }) => kind === 'answer').map(({ key }) => key))
  const open = entries.filter(({ kind, key }) => kind === 'question' && !answered.has(key))
  return new Map(open.map(({ key, value }) => [key, { question: value as unknown as ClientQuestion }]))
}
