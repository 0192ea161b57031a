import type { Client, ClientExtension } from '@trunkline/mcp/client'
import type { ClientTasks, TaskState } from '@trunkline/mcp/tasks'
import { defineCommand } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { resultLines } from '../output/content.ts'
import type { Line } from '../output/span.ts'
import { tableLines } from '../output/table.ts'

/** `trunkline tasks`: work that goes on at a server. */
export const tasksCommand = defineCommand({
  name: 'tasks',
  group: 'servers',
  needs: 'nothing',
  summary: 'Lists the tasks at a server, waits for one, or cancels it',
  usage: ['SERVER [TASK]', '[TASK] -- PROGRAM [ARGUMENT…]'],
  details: [
    'Without a task it lists the tasks of this caller, if the server can list them. With a task it shows the state of that task.',
  ],
  options: {
    wait: { type: 'boolean', summary: 'Wait for the result of the task' },
    cancel: { type: 'boolean', summary: 'Cancel the task' },
    ...serverOptions,
  },
  json: '`{ tasks: […] }`, one task, or with --wait the result of its call',
  examples: [
    { line: 'trunkline tasks https://example.com/mcp', shows: 'the tasks at a server' },
    { line: 'trunkline tasks https://example.com/mcp 786512e2 --wait', shows: 'the result of one' },
  ],
  async run(invocation) {
    const { options, output } = invocation
    if (options.wait && options.cancel) throw usageFailure('Cannot both --wait for a task and --cancel it: choose one')
    const { tasks } = await import('@trunkline/mcp/tasks')
    await using server = await openServer(invocation, { extensions: [tasks() as ClientExtension] })
    const [id] = server.words
    const at = (server.client as Client & { readonly tasks: ClientTasks }).tasks
    if (id === undefined) {
      const all = await at.list().all()
      output.result({ tasks: all }, () => taskLines(all, output.width))
    } else if (options.wait) await wait(at, id, invocation)
    else {
      if (options.cancel) await (await at.attach(id)).cancel()
      const state = await at.get(id)
      output.result(state, () => taskLines([state], output.width))
    }
    return undefined
  },
})

async function wait(
  at: ClientTasks,
  id: string,
  { output, signal }: Parameters<typeof tasksCommand.run>[0],
): Promise<void> {
  const task = await at.attach(id)
  task.detach()
  const result = await task.result({ signal })
  output.result(result, () => resultLines(result))
  if (result.isError === true)
    throw new Failure(`Task "${id}" says that it failed`, { code: 'ToolError', exit: exitCodes.toolError })
}

function taskLines(tasks: readonly TaskState[], width: number): readonly Line[] {
  if (tasks.length === 0) return ['There are no tasks']
  const columns = [
    { title: 'task', style: 'name' },
    { title: 'status' },
    { title: 'updated' },
    { title: 'says' },
  ] as const
  const rows = tasks.map(({ id, status, updatedAt, statusMessage = '' }) => [
    id,
    status,
    new Date(updatedAt).toISOString(),
    statusMessage,
  ])
  return tableLines(columns, rows, width)
}
