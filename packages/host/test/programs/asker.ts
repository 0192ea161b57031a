/** A server that fills in forms with the person, and asks for a model. */
import { serve, server } from '@trunkline/mcp'
import { z } from 'zod'

const asker = server({ name: 'asker', version: '1.0.0' })
  .tool('order', {}, async (_, ctx) => {
    const { size } = await ctx.elicit('Which size?', z.object({ size: z.enum(['S', 'M']) }))
    return `Size ${size}`
  })
  .tool('think', {}, async (_, ctx) => {
    const content = { type: 'text', text: 'Say please' } as const
    const answer = await ctx.sample({ messages: [{ role: 'user', content }], maxTokens: 50 })
    return JSON.stringify(answer.content)
  })

await serve(asker)
