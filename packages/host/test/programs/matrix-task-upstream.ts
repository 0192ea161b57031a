/** The server of the matrix whose tools run as tasks: `matrix-task-upstream.ts handshake|stateless stdio|http`. */
import { server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { serveStdio } from '@trunkline/mcp/stdio'
import { tasks } from '@trunkline/mcp/tasks'
import { z } from 'zod'

const [shape, transport] = process.argv.slice(2)
const ids: string[] = []

const definition = server({
  name: `${shape}-${transport}`,
  version: '1.0.0',
  revisions: [shape === 'handshake' ? '2025-11-25' : '2026-07-28'],
  keys: ['a secret of the matrix, long enough to seal'],
  extensions: [tasks({ pollMs: 50 })],
  onWarning() {},
})
  .tool('render', { input: z.object({ title: z.string() }), task: 'required' }, ({ title }, ctx) => {
    if (ctx.taskId !== undefined) ids.push(ctx.taskId)
    return `rendered ${title}`
  })
  .tool('name', { task: 'required' }, async (_input, ctx) => {
    const { name } = await ctx.elicit('Which name?', z.object({ name: z.string() }))
    return `named ${name}`
  })
  .tool('ids', {}, () => JSON.stringify(ids))

if (transport === 'stdio') await serveStdio((channel) => definition.serve(channel))
else {
  const { url } = await serveHttp(definition, { port: 0 })
  console.log(url)
  process.stdin.resume().once('end', () => process.exit())
}
