// region serve
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
// endregion
import { z } from 'zod'

// region serve
const shop = new McpServer({ name: 'shop', version: '1.0.0' })
// endregion

// region tool
shop.registerTool(
  'price',
  { description: 'What an item costs', inputSchema: { item: z.string() }, outputSchema: { euros: z.number() } },
  async ({ item }) => {
    const price = { euros: item.length }
    return { content: [{ type: 'text', text: JSON.stringify(price) }], structuredContent: price }
  },
)
// endregion

// region ask
shop.registerTool('buy', { inputSchema: { item: z.string() } }, async ({ item }) => {
  const { action, content } = await shop.server.elicitInput({
    message: `Buy ${item}?`,
    requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] },
  })
  return { content: [{ type: 'text', text: action === 'accept' && content?.sure ? 'Bought' : 'Left' }] }
})
// endregion

// region resource
const items = new ResourceTemplate('shop://items/{item}', { list: undefined })
shop.registerResource('items', items, {}, async (uri, { item }) => ({
  contents: [{ uri: uri.href, text: `All about ${item}` }],
}))
// endregion

// region prompt
shop.registerPrompt('advise', { argsSchema: { budget: z.string() } }, ({ budget }) => ({
  messages: [{ role: 'user', content: { type: 'text', text: `What can I get for ${budget} euros?` } }],
}))
// endregion

// region serve
await shop.connect(new StdioServerTransport())
// endregion
