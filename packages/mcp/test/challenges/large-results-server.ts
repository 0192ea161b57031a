/** A server whose result is larger than its memory may become; it says how much memory it has had at most. */
import { serve, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { z } from 'zod'
import { numberedLines } from './numbered-lines.ts'

await serve(
  server({ name: 'large', version: '1.0.0', extensions: [contract({ spill: true })] as const })
    .tool('lines', { input: z.object({ bytes: z.number() }) }, ({ bytes }, ctx) => ctx.spill(numberedLines(bytes)))
    .tool('most', {}, () => process.resourceUsage().maxRSS * 1024),
)
