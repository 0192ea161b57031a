/** A server that writes to stderr, so many lines a second for so many seconds. */
import { serve, server } from '@trunkline/mcp'
import { z } from 'zod'
import { everySecond } from './every-second.ts'

const input = z.object({ perSecond: z.number(), seconds: z.number() })
const noisy = server({ name: 'noisy', version: '1.0.0' }).tool('write', { input }, async (rate) => {
  await everySecond(rate, (line) => process.stderr.write(`line ${line} of what a server tells about its work\n`))
  return 'written'
})

await serve(noisy)
