// region serve
import { inputRequired, inputResponse, McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
// endregion
import { z } from 'zod'

// region serve
function makeShop(): McpServer {
  const shop = new McpServer({ name: 'shop', version: '1.0.0' })
  // endregion

  // region tool
  shop.registerTool(
    'price',
    {
      description: 'What an item costs',
      inputSchema: z.object({ item: z.string() }),
      outputSchema: z.object({ euros: z.number() }),
    },
    async ({ item }) => {
      const price = { euros: item.length }
      return { content: [{ type: 'text', text: JSON.stringify(price) }], structuredContent: price }
    },
  )
  // endregion

  // region ask
  shop.registerTool('buy', { inputSchema: z.object({ item: z.string() }) }, ({ item }, { mcpReq }) => {
    // runs again with the answer
    const answer = inputResponse(mcpReq.inputResponses, 'sure')
    if (answer.kind === 'elicit') {
      const text = answer.action === 'accept' && answer.content?.sure ? 'Bought' : 'Left'
      return { content: [{ type: 'text', text }] }
    }
    const question = { message: `Buy ${item}?`, requestedSchema: z.object({ sure: z.boolean() }) }
    return inputRequired({ inputRequests: { sure: inputRequired.elicit(question) } })
  })
  // endregion

  // region resource
  const items = new ResourceTemplate('shop://items/{item}', { list: undefined })
  shop.registerResource('items', items, {}, async (uri, { item }) => ({
    contents: [{ uri: uri.href, text: `All about ${item}` }],
  }))
  // endregion

  // region prompt
  shop.registerPrompt('advise', { argsSchema: z.object({ budget: z.string() }) }, ({ budget }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `What can I get for ${budget} euros?` } }],
  }))
  // endregion

  // region serve
  return shop
}

serveStdio(makeShop)
// endregion
