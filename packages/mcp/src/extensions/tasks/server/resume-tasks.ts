import type { ServerHandler } from '../../../dialects/dialect.ts'
import { taskRulesOf } from '../../../dialects/tasks/task-rules-by-revision.ts'
import type { ServerHost } from '../../../server/extension.ts'
import type { StoredTask, TaskPlace } from '../../../stores/task-store.ts'
import { InternalError } from '../../../wire/errors.ts'
import { tasksExtensionId } from '../../../wire/vocabularies/tasks-extension.ts'
import { follow, run as running } from './call-as-task.ts'
import { TaskCall, type TaskCallParts } from './task-call.ts'
import type { TaskSupport } from './task-definition.ts'
import type { TakenLease } from './task-ownership.ts'
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

/**
 * Takes tasks that no process has any longer, if this one has their tools: a process of another version may know those of
 * the others.
 */
export async function claim(next: ServerHandler, host: ServerHost, parts: TaskCallParts): Promise<void> {
  const { runs } = parts
  const { shared } = runs
  let after: TaskPlace | undefined
  for (;;) {
    const page = (await shared?.store.unowned(pageSize, after)) ?? []
    for (const task of page) {
      if (!runs.hasRoom) return
      const { params, caller } = storedWork(task)
      if (runs.find(task.id) || !host.tool(params.name as string, caller)?.keep) continue
      const lease = await shared?.take(task.id)
      if (lease) await takeUp(task, next, { host, parts, lease })
    }
    after = page.at(-1)
    if (page.length < pageSize) return
  }
}

interface Where {
  readonly host: ServerHost
  readonly parts: TaskCallParts
  /** The lease of this process, where several share the store. */
  readonly lease?: TakenLease
}

async function takeUp(task: StoredTask, next: ServerHandler, { host, parts, lease }: Where): Promise<void> {
  const { store } = parts.settings
  const { params, caller } = storedWork(task)
  const name = params.name as string
  const rules = taskRulesOf(caller)
  const tool = host.tool(name, caller)
  const support = tool?.keep as TaskSupport | undefined
  const give = async (why: string): Promise<void> => {
    const message = `Cannot continue: the server stopped while the task was running, and ${why}`
    const outcome = { error: { code: InternalError, message } }
    const end = { status: 'failed', updatedAt: Date.now(), statusMessage: message, outcome } as const
    await store.update(task.id, end, lease?.fence)
    parts.runs.shared?.changed(task.id)
  }
  if (!tool || !support || !rules) return give(`tool "${name}" is gone`)
  if (!support.resumable) return give(`tool "${name}" cannot be run again`)
  const run = parts.runs.run(task, { rules, caller, isResumable: true, lease })
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
