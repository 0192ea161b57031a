/** A server with the tools that tests need: answer, wait, crash, grow, ask. */

import { serve, server } from '@trunkline/mcp'
import { z } from 'zod'

const kept: Uint8Array[] = []

const upstream = server({ name: 'upstream', version: '1.0.0' })
  .tool('echo', { input: z.object({ text: z.string() }) }, ({ text }) => text)
  .tool('write', { input: z.object({ text: z.string() }) }, ({ text }) => text)
  .tool('pid', {}, () => String(process.pid))
  .tool('wait', { input: z.object({ ms: z.number() }) }, async ({ ms }, ctx) => {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      ctx.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    })
    return 'done'
  })
  .tool('crash', {}, () => {
    console.error('about to crash')
    process.exit(3)
  })
  .tool('grow', { input: z.object({ bytes: z.number() }) }, ({ bytes }) => {
    kept.push(new Uint8Array(bytes).fill(1))
    return 'grown'
  })

await serve(upstream)
