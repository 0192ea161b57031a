import { setTimeout as delay } from 'node:timers/promises'
import type { Server } from '@trunkline/mcp'
import { z } from 'zod'

const stepMs = 50

/** Tools that talk to the client while they work, or let go of it. */
export function offerReports(app: Server): void {
  app.tool('test_tool_with_logging', { description: 'Logs three messages' }, async (_input, ctx) => {
    await ctx.log('info', 'Tool execution started')
    await delay(stepMs)
    await ctx.log('info', 'Tool processing data')
    await delay(stepMs)
    await ctx.log('info', 'Tool execution completed')
    return 'Logged three messages'
  })

  app.tool('test_logging_tool', { description: 'Logs a message for those who want it' }, async (_input, ctx) => {
    await ctx.log('info', 'Diagnostic message')
    return 'Logged a message for whoever wanted it'
  })

  app.tool('test_tool_with_progress', { description: 'Reports progress in three steps' }, async (_input, ctx) => {
    for (const done of [0, 50, 100]) {
      await ctx.progress(done, 100, `Completed step ${done} of 100`)
      await delay(stepMs)
    }
    return 'Reported progress in three steps'
  })

  app.tool('test_streaming_elicitation', { description: 'Reports progress, then asks' }, async (_input, ctx) => {
    await ctx.progress(50, 100)
    const { answer } = await ctx.elicit('Go on?', z.object({ answer: z.boolean() }))
    return answer ? 'Went on' : 'Stopped'
  })

  app.tool('test_reconnection', { description: 'Lets the client go and answers when it is back' }, (_input, ctx) => {
    ctx.disconnect()
    return delay(2 * stepMs, 'The client came back for this answer')
  })
}
