/** A server that asks for a language model: in a given revision, with the params of the call. */
import { type SamplingRequest, serve, server } from '@trunkline/mcp'
import { z } from 'zod'

const [revision] = process.argv.slice(2)

const sampler = server({
  name: 'sampler',
  version: '1.0.0',
  ...(revision !== undefined && { revisions: [revision] }),
}).tool(
  'think',
  { input: z.object({ request: z.record(z.string(), z.unknown()) }), annotations: { readOnlyHint: true } },
  async ({ request }, ctx) => {
    const given = { messages: [{ role: 'user', content: { type: 'text', text: 'Say hello' } }], maxTokens: 50 }
    return JSON.stringify(await ctx.sample({ ...given, ...request } as SamplingRequest))
  },
)

await serve(sampler)
