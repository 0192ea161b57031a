import type { TaskState } from '../../model/task.ts'
import type { Fields } from '../../wire/messages.ts'
import { answerResult, encodeCoreTask, readRequestedTask, relatedToTask } from './core-tasks.ts'

/** The rules of client tasks, in the revision that has them. */
export interface TaskAnswerRules {
  /** Tells whether a request asks for a task, and the time it is to be kept. */
  wish(params: Fields): { readonly isWanted: boolean; readonly ttl: number | undefined }
  /** The params without the task. */
  without(params: Fields): Fields
  created(state: TaskState): Fields
  shown(state: TaskState): Fields
  /** The result of the task; throws its error. */
  result(state: TaskState): Fields
}

/** The rules of the one revision with client tasks. */
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
