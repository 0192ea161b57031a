import type { ServerRequest } from '../../../dialects/dialect.ts'
import type { TaskRules } from '../../../dialects/tasks/task-rules.ts'
import { taskRulesOf } from '../../../dialects/tasks/task-rules-by-revision.ts'
import type { ServerHost } from '../../../server/extension.ts'
import { MethodNotFound, RpcError } from '../../../wire/errors.ts'
import type { TaskSettings } from './options.ts'
import type { TaskRuns } from './task-runs.ts'

/** What requests about tasks are served from. */
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

/** What is asked and in which words. */
export function taskRequest(request: ServerRequest): TaskRequest {
  return { id: request.params.taskId as string, request, rules: knownRules(request) }
}

/** The rules for a caller; one that does not know of tasks is refused. */
export function knownRules({ method, caller }: Pick<ServerRequest, 'method' | 'caller'>): TaskRules {
  const rules = taskRulesOf(caller)
  if (!rules) throw new RpcError(MethodNotFound, `Cannot serve "${method}": this revision has no tasks`)
  rules.assertKnown(caller, method)
  return rules
}
