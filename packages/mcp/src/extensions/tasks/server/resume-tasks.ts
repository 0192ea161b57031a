import type { ServerHandler } from '../../../dialects/dialect.ts'
import { taskRulesOf } from '../../../dialects/tasks/task-rules-by-revision.ts'
import type { ServerHost } from '../../../server/extension.ts'
import type { StoredTask, TaskPlace } from '../../../stores/task-store.ts'
import { InternalError } from '../../../wire/errors.ts'
import { tasksExtensionId } from '../../../wire/vocabularies/tasks-extension.ts'
import { follow, run as running } from './call-as-task.ts'
import { TaskCall, type TaskCallParts } from './task-call.ts'
import type { TaskSupport } from './task-definition.ts'
import { storedWork } from './task-work.ts'

const pageSize = 100

/** Resumes the tasks of a process that ended: each continues, or fails with the reason. */
export async function resume(next: ServerHandler, host: ServerHost, parts: TaskCallParts): Promise<void> {
  const { runs, settings } = parts
  let after: TaskPlace | undefined
  for (;;) {
    const page = await settings.store.unfinished(pageSize, after)
    for (const task of page) {
      await runs.room()
      if (!runs.find(task.id)) await takeUp(task, next, { host, parts })
    }
    after = page.at(-1)
    if (page.length < pageSize) return
  }
}

interface Where {
  readonly host: ServerHost
  readonly parts: TaskCallParts
}

async function takeUp(task: StoredTask, next: ServerHandler, { host, parts }: Where): Promise<void> {
  const { store } = parts.settings
  const { params, caller } = storedWork(task)
  const name = params.name as string
  const rules = taskRulesOf(caller)
  const tool = host.tool(name, caller)
  const support = tool?.keep as TaskSupport | undefined
  const give = (why: string) => {
    const message = `Cannot continue: the server stopped while the task was running, and ${why}`
    const error = { code: InternalError, message }
    return store.update(task.id, {
      status: 'failed',
      updatedAt: Date.now(),
      statusMessage: message,
      outcome: { error },
    })
  }
  if (!tool || !support || !rules) return void (await give(`tool "${name}" is gone`))
  if (!support.resumable) return void (await give(`tool "${name}" cannot be run again`))
  const run = parts.runs.run(task, rules, caller)
  run.journal.restore(await store.entries(task.id))
  const call = TaskCall.resumed(parts, support, run)
  const request = {
    method: 'tools/call',
    params,
    caller,
    incoming: run.incoming,
    input: call.inputOf(run),
    limits: host.limits,
    isResumed: true,
    added: { [tasksExtensionId]: call },
  }
  follow(running(next, request), call)
}
