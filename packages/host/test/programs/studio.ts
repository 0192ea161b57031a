/** A server of one revision whose tools run as tasks: their ids, and their ends, can be asked for. */
import { serve, server } from '@trunkline/mcp'
import { tasks } from '@trunkline/mcp/tasks'
import { z } from 'zod'

const [, , revision = ''] = process.argv
const ids: string[] = []
const begun: string[] = []
const ended: string[] = []

const studio = server({
  name: 'studio',
  version: '1.0.0',
  revisions: [revision],
  extensions: [tasks({ pollMs: 50 })],
  onWarning: () => {},
})
  .tool('render', { input: z.object({ title: z.string() }), task: 'required' }, ({ title }, ctx) => {
    if (ctx.taskId !== undefined) ids.push(ctx.taskId)
    ctx.status(`renders ${title}`)
    return `rendered ${title}`
  })
  .tool('name', { task: 'required' }, async (_, ctx) => {
    const { name } = await ctx.elicit('Which name?', z.object({ name: z.string() }))
    return `named ${name}`
  })
  .tool('hang', { input: z.object({ who: z.string() }), task: 'optional' }, async ({ who }, ctx) => {
    if (ctx.taskId !== undefined) ids.push(ctx.taskId)
    begun.push(who)
    await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }))
    ended.push(who)
    return 'ended'
  })
  .tool('echo', { input: z.object({ text: z.string() }) }, ({ text }) => text)
  .tool('seen', {}, () => JSON.stringify({ ids, begun, ended }))

await serve(studio)
