// region serve
import { server } from '@trunkline/mcp'
import { z } from 'zod'

export const shop = server({ name: 'shop', version: '1.0.0' })
  // endregion
  // region tool
  .tool(
    'price',
    {
      description: 'What an item costs',
      input: z.object({ item: z.string() }),
      output: z.object({ euros: z.number() }),
    },
    ({ item }) => ({ euros: item.length }),
  )
  // endregion
  // region ask
  .tool('buy', { input: z.object({ item: z.string() }) }, async ({ item }, ctx) => {
    const { sure } = await ctx.elicit(`Buy ${item}?`, z.object({ sure: z.boolean() }))
    return sure ? 'Bought' : 'Left'
  })
  // endregion
  // region resource
  .template('shop://items/{item}', { name: 'items' }, ({ item }) => `All about ${item}`)
  // endregion
  // region prompt
  .prompt(
    'advise',
    { arguments: z.object({ budget: z.string() }) },
    ({ budget }) => `What can I get for ${budget} euros?`,
  )
// endregion
