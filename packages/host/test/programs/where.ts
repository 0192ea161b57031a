/** A server that reports its directory, its process, and its roots. */
import { serve, server } from '@trunkline/mcp'

const where = server({ name: 'where', version: '1.0.0' })
  .tool('read_where', { description: process.argv[2] ?? 'Tells where it is' }, () => process.cwd())
  .tool('read_pid', {}, () => String(process.pid))
  .tool('read_roots', {}, async (_input, ctx) => JSON.stringify(await ctx.roots()))

await serve(where)
