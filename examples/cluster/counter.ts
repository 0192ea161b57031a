import { setTimeout as sleep } from 'node:timers/promises'
// region server
import { server } from '@trunkline/mcp'
import { z } from 'zod'

const { KEY = 'a key of this example, which every process has' } = process.env

/** A server that counts, and asks before each step: the answer may reach another process than the one that asked. */
export const counter = server({ name: 'counter', version: '1.0.0', keys: [KEY] }).tool(
  'next',
  { input: z.object({ number: z.number() }), output: z.object({ number: z.number() }) },
  async ({ number }, ctx) => {
    await sleep(20)
    const { sure } = await ctx.elicit(`Go on after ${number}?`, z.object({ sure: z.boolean() }))
    return { number: sure ? number + 1 : number }
  },
)
// endregion
