import type { Context, SamplingResult, Server } from '@trunkline/mcp'
import { z } from 'zod'

const name = z.object({ name: z.string() })
const consent = z.object({ ok: z.boolean() })

/** Tools that need something of the client before they can answer. */
export function offerInput(app: Server): void {
  app.tool(
    'test_sampling',
    { description: "Asks the client's model", input: z.object({ prompt: z.string() }) },
    async ({ prompt }, ctx) => `LLM response: ${await ask(ctx, prompt)}`,
  )

  app.tool('test_missing_capability', { description: 'Works only for clients with a model' }, (_, ctx) =>
    ask(ctx, 'Are you there?'),
  )

  app.tool('test_input_required_result_elicitation', { description: 'Asks for a name' }, async (_, ctx) => {
    const user = await ctx.elicit('What is your name?', name, { key: 'user_name' })
    return `Hello, ${user.name}!`
  })

  app.tool('test_input_required_result_sampling', { description: 'Asks a model about France' }, (_, ctx) =>
    ask(ctx, 'What is the capital of France?'),
  )

  app.tool('test_input_required_result_list_roots', { description: 'Asks for the roots' }, async (_, ctx) => {
    const roots = await ctx.roots()
    return `Found ${roots.length} root(s)`
  })

  app.tool('test_input_required_result_request_state', { description: 'Asks for consent' }, async (_, ctx) => {
    const { ok } = await ctx.elicit('Please confirm', consent)
    return ok ? 'state-ok' : 'Not confirmed'
  })

  app.tool('test_input_required_result_tampered_state', { description: 'Asks for consent' }, async (_, ctx) => {
    const { ok } = await ctx.elicit('Please confirm', consent)
    return ok ? 'Confirmed' : 'Not confirmed'
  })

  app.tool('test_input_required_result_multiple_inputs', { description: 'Asks three things' }, async (_, ctx) => {
    const [user, greeting, roots] = await Promise.all([
      ctx.elicit('What is your name?', name),
      ask(ctx, 'Generate a greeting'),
      ctx.roots(),
    ])
    return `Name: ${user.name}; Greeting: ${greeting}; Roots: ${roots.length}`
  })

  app.tool(
    'test_input_required_result_multi_round',
    { description: 'Asks one thing after another' },
    async (_, ctx) => {
      const user = await ctx.elicit('Step 1: What is your name?', name)
      const { color } = await ctx.elicit('Step 2: What is your favorite color?', z.object({ color: z.string() }))
      return `${user.name} likes ${color}`
    },
  )

  app.tool('test_input_required_result_capabilities', { description: 'Asks what can be asked' }, async (_, ctx) => {
    const { elicitation, sampling } = ctx.caller.capabilities
    const [user, greeting] = await Promise.all([
      elicitation ? ctx.elicit('What is your name?', name) : { name: 'friend' },
      sampling ? ask(ctx, 'Generate a greeting') : 'Hello',
    ])
    return `${greeting}, ${user.name}!`
  })
}

async function ask(ctx: Context, prompt: string): Promise<string> {
  const messages = [{ role: 'user', content: { type: 'text', text: prompt } }] as const
  return textOf(await ctx.sample({ messages, maxTokens: 100 }))
}

function textOf({ content }: SamplingResult): string {
  const parts = Array.isArray(content) ? content : [content]
  return parts.map((part) => (part.type === 'text' ? part.text : `(${part.type})`)).join(' ')
}
