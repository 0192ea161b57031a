// region tools
import { image, reply, type ServerHandler, server } from '@trunkline/mcp'
import { z } from 'zod'

export const shop = server({ name: 'shop', version: '1.0.0', instructions: 'Prices are in euros.' })
  // a string becomes text, an object becomes structured content with a text mirror, nothing becomes nothing
  .tool('greet', { input: z.object({ name: z.string() }) }, ({ name }) => `Hello, ${name}!`)
  // the result is typed and checked against the output schema
  .tool('price', { input: z.object({ item: z.string() }), output: z.object({ euros: z.number() }) }, ({ item }) => ({
    euros: item.length,
  }))
  // plain JSON Schema works as well, and so does no schema
  .tool('ping', { input: { type: 'object', properties: { count: { type: 'integer' } } } }, ({ count = 1 }) => ({
    count,
  }))
  // content of your choice, and everything else a result may carry
  .tool('label', {}, () => image(new Uint8Array([137, 80, 78, 71]), 'image/png'))
  .tool('buy', {}, () => reply('Sold out', { isError: true }))
// endregion

// region resources
shop
  .resource('shop://hours', { name: 'hours', mimeType: 'text/plain' }, () => '9 to 5')
  .template(
    'shop://items/{id}',
    {
      name: 'item',
      mimeType: 'application/json',
      cache: { ttlMs: 60_000, scope: 'public' },
      complete: { id: (start) => ['apple', 'pear'].filter((id) => id.startsWith(start)) },
    },
    ({ id }) => JSON.stringify({ id }),
  )
// endregion

// region prompts
shop.prompt(
  'recommend',
  {
    description: 'Recommends an item',
    arguments: z.object({ mood: z.enum(['calm', 'bold']), budget: z.string().optional() }),
  },
  ({ mood, budget }) => `What suits somebody ${mood}${budget ? ` with ${budget} euros` : ''}?`,
)
// endregion

// region switching
export function closeForToday(): void {
  shop.tools.disable('buy')
  shop.resources.updated('shop://hours')
}
// endregion

// region visibility
shop.tool('restock', { visible: ({ principal }) => principal === 'clerk' }, () => 'restocked')
// endregion

// region middleware
const timed =
  (log: (line: string) => void) =>
  (next: ServerHandler): ServerHandler =>
  async (request) => {
    const started = performance.now()
    try {
      return await next(request)
    } finally {
      log(`${request.method} took ${Math.round(performance.now() - started)} ms`)
    }
  }

export const lines: string[] = []
shop.use(timed((line) => lines.push(line)))
// endregion

// region mount
export const mall = server({ name: 'mall', version: '1.0.0' }).mount('shop', shop)
// endregion

// region rates
export const news = server({
  name: 'news',
  version: '1.0.0',
  limits: { callsPerMinute: 6_000, callsPerMinutePerCaller: { calls: 120, burst: 20 } },
}).tool('search', { limits: { callsPerMinutePerCaller: 10 } }, () => 'found nothing')
// endregion
