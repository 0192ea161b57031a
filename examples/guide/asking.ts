// region asking
import { McpError, server } from '@trunkline/mcp'
import { z } from 'zod'

export const charged: string[] = []
const charge = async (item: string): Promise<string> => {
  charged.push(item)
  return `receipt ${charged.length}`
}

export const till = server({
  name: 'till',
  version: '1.0.0',
  keys: ['a secret of at least thirty-two characters'],
}).tool('checkout', { input: z.object({ item: z.string() }) }, async ({ item }, ctx) => {
  // several questions at once travel together
  const [{ size }, thanks] = await Promise.all([
    ctx.elicit('Which size?', z.object({ size: z.enum(['S', 'M', 'L']) })),
    ctx.sample({ messages: [{ role: 'user', content: { type: 'text', text: 'Say thanks' } }], maxTokens: 20 }),
  ])
  // a side effect before a further question happens once, although the handler may run again
  const receipt = await ctx.once('charge', () => charge(item))
  const { sure } = await ctx.elicit(`Send ${item} in ${size}?`, z.object({ sure: z.boolean() }))
  const { content } = thanks
  const words = !Array.isArray(content) && 'text' in content ? content.text : ''
  return `${sure ? 'Sent' : 'Kept'} with ${receipt}. ${words}`
})
// endregion

// region declining
export const polite = till.tool('careful', {}, async (_, ctx) => {
  try {
    return await ctx.elicit('May I?', z.object({ yes: z.boolean() }))
  } catch (error) {
    if (error instanceof McpError && error.code === 'Declined') return 'Then not.'
    throw error
  }
})
// endregion
