import type { TaskState } from '../../model/task.ts'
import type { Fields } from '../../wire/messages.ts'
import { answerResult, encodeCoreTask, readRequestedTask, relatedToTask } from './core-tasks.ts'

/** How a client makes a task of what a server asks, in the revision in which it can. */
export interface TaskAnswerRules {
  /** Whether a question is to be answered by a task, and how long that is to be kept. */
  wish(params: Fields): { readonly isWanted: boolean; readonly ttl: number | undefined }
  /** The question without what was said about the task. */
  without(params: Fields): Fields
  created(state: TaskState): Fields
  shown(state: TaskState): Fields
  /** What the question was answered with, or why it was not, which is thrown. */
  result(state: TaskState): Fields
}

/** The one revision in which clients have tasks of their own. */
export const taskAnswerRules: TaskAnswerRules = {
  wish({ task }) {
    const wish = readRequestedTask(task as Fields | undefined)
    return { isWanted: wish !== undefined, ttl: wish?.ttlMs }
  },
  without: ({ task: _, ...params }) => params,
  created: (state) => ({ task: encodeCoreTask(state) }),
  shown: encodeCoreTask,
  result: (state) => relatedToTask(state.id, answerResult(state)),
}
