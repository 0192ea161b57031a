import type { Asking, ListenExtension } from '../../../dialects/dialect.ts'
import type { TaskState } from '../../../model/task.ts'
import { InvalidParams, RpcError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import { describeShapeProblem } from '../../../wire/shape.ts'
import { tasksExtension } from '../../../wire/vocabularies/tasks-extension.ts'
import { knownRules, type TaskService } from './task-service.ts'

/** Reports on the tasks in a listen filter that belong to the caller. */
export async function listenToTasks(
  filter: Fields,
  asking: Asking,
  { runs, settings }: TaskService,
): Promise<ListenExtension | undefined> {
  if (filter.taskIds === undefined) return undefined
  const problem = tasksExtension.filter.check(filter)
  if (problem) throw new RpcError(InvalidParams, `Cannot listen: notifications.${describeShapeProblem(problem)}`)
  const { caller } = asking
  const rules = knownRules(asking)
  const wanted = [...new Set(filter.taskIds as readonly string[])].slice(0, settings.limits.maxTasksPerListener)
  const known = await Promise.all(
    wanted.map((id) =>
      runs.state(id, caller).then(
        () => [id],
        () => [],
      ),
    ),
  )
  const taskIds = known.flat()
  return {
    honoured: { taskIds },
    start(tell) {
      const stops = taskIds.map((id) => {
        const changed = (state: TaskState): void => tell(`task ${id}`, ...rules.notice(state, caller))
        // changes since the acknowledgement
        runs.state(id, caller).then(changed, () => {})
        return runs.listen(id, { changed })
      })
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}
