import { setTimeout as sleep } from 'node:timers/promises'
import { InternalError, type NoOffers, RpcError, type Server } from '@trunkline/mcp'
import type { TasksOnServer } from '@trunkline/mcp/tasks'
import { z } from 'zod'

const confirm = z.object({ confirm: z.boolean() })
const name = z.object({ name: z.string() })

/** Tools that run as tasks. */
export function offerTasks(app: Server<NoOffers, TasksOnServer>): void {
  app.tool('greet', { description: 'Greets at once', input: name }, (input) => `Hello, ${input.name}!`)

  app.tool(
    'slow_compute',
    {
      description: 'Takes the seconds it is told to',
      input: z.object({ seconds: z.number(), label: z.string().optional() }),
      task: 'optional',
      pollMs: 200,
    },
    async ({ seconds, label = 'nothing' }, { signal }) => {
      await sleep(seconds * 1_000, undefined, { signal })
      return `Computed ${label} for ${seconds} seconds`
    },
  )

  app.tool('failing_job', { description: 'Fails after a second', task: 'required' }, async () => {
    await sleep(1_000)
    throw new Error('This job always fails')
  })

  app.tool('protocol_error_job', { description: 'Ends in an error of the protocol', task: 'optional' }, async () => {
    await sleep(100)
    throw new RpcError(InternalError, 'This job breaks the protocol')
  })

  app.tool(
    'confirm_delete',
    { description: 'Asks before it deletes', input: z.object({ filename: z.string() }), task: 'optional' },
    async ({ filename }, ctx) => {
      const { confirm: isMeant } = await ctx.elicit(`Delete ${filename}?`, confirm)
      return isMeant ? `Deleted ${filename}` : `Kept ${filename}`
    },
  )

  app.tool('multi_input', { description: 'Asks two things at once', task: 'optional' }, async (_, ctx) => {
    const [who, sure] = await Promise.all([
      ctx.elicit('What is your name?', name),
      ctx.elicit('Are you sure?', confirm),
    ])
    return `${who.name} is ${sure.confirm ? 'sure' : 'not sure'}`
  })

  app.tool(
    'test_tool_with_task',
    { description: 'Asks for a name and then takes its time', task: 'required', asksFirst: true },
    async (_, ctx) => {
      const user = await ctx.elicit('What is your name?', name, { key: 'user_name' })
      await ctx.detach()
      await sleep(100)
      return `Hello, ${user.name}!`
    },
  )
}
