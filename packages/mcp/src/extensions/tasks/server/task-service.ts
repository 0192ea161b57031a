import type { ServerRequest } from '../../../dialects/dialect.ts'
import type { TaskRules } from '../../../dialects/tasks/task-rules.ts'
import { taskRulesOf } from '../../../dialects/tasks/task-rules-by-revision.ts'
import type { ServerHost } from '../../../server/extension.ts'
import { MethodNotFound, RpcError } from '../../../wire/errors.ts'
import type { TaskSettings } from './server-task-options.ts'
import type { TaskRuns } from './task-runs.ts'

/** Dependencies of the task methods. */
export interface TaskService {
  readonly runs: TaskRuns
  readonly settings: TaskSettings
  readonly host: ServerHost
}

/** A request about one task. */
export interface TaskRequest {
  readonly id: string
  readonly request: ServerRequest
  readonly rules: TaskRules
}

/** Reads the task and the rules of a request. */
export function taskRequest(request: ServerRequest): TaskRequest {
  return { id: request.params.taskId as string, request, rules: knownRules(request) }
}

/** The task rules of a caller; refuses callers without tasks. */
export function knownRules({ method, caller }: Pick<ServerRequest, 'method' | 'caller'>): TaskRules {
  const rules = taskRulesOf(caller)
  if (!rules) throw new RpcError(MethodNotFound, `Cannot serve "${method}": this revision has no tasks`)
  rules.assertKnown(caller, method)
  return rules
}
