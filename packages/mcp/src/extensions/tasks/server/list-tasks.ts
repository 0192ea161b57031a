import type { ServerRequest } from '../../../dialects/dialect.ts'
import type { Sender } from '../../../rpc/channel.ts'
import type { StoredTask, TaskPlace } from '../../../stores/task-store.ts'
import { InvalidParams, MethodNotFound, RpcError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import { SealError } from '../../../wire/sealed.ts'
import { knownRules, type TaskService } from './task-service.ts'

const cursorMs = 24 * 3_600_000

/** True if a sender may list tasks: only an authenticated one, because others would see each other's tasks. */
export function mayList(sender: Sender | undefined): boolean {
  return sender === undefined || sender.principal !== undefined
}

/** Serves `tasks/list`, page by page. */
export async function listTasks(request: ServerRequest, { runs, settings, host }: TaskService): Promise<Fields> {
  const { caller, incoming, params, method } = request
  const rules = knownRules(request)
  if (!mayList(incoming.sender))
    throw new RpcError(MethodNotFound, `Cannot serve "${method}": only an authenticated caller has tasks of its own`)
  const binding = JSON.stringify(['cursor', method, host.info.name, caller.principal ?? null])
  const after = params.cursor === undefined ? undefined : await opened(params.cursor as string)
  const found = await runs.reach(() => settings.store.list(caller.principal, host.pageSize + 1, after))
  const page = found.slice(0, host.pageSize)
  const states = await Promise.all(page.map(({ id }) => runs.state(id, caller).catch(() => undefined)))
  const tasks = states.flatMap((state) => (state ? [rules.shown(state, caller)] : []))
  const last = page.at(-1)
  return found.length > page.length && last ? { tasks, nextCursor: await sealed(last) } : { tasks }

  function sealed({ createdAt, id }: StoredTask): Promise<string> {
    return host.sealer.seal({ createdAt, id }, binding, Date.now() + cursorMs)
  }

  async function opened(cursor: string): Promise<TaskPlace> {
    try {
      return (await host.sealer.open(cursor, binding)) as TaskPlace
    } catch (error) {
      if (!(error instanceof SealError)) throw error
      throw new RpcError(InvalidParams, `Cannot list: "cursor" is ${error.reason}`, { field: 'cursor' })
    }
  }
}
