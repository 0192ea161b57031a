import assert from 'node:assert/strict'
import { connect, server } from '@trunkline/mcp'
import { revisions } from '@trunkline/mcp/testing'
import { z } from 'zod'

const cafe = server({ name: 'cafe', version: '1.0.0', onWarning: () => {} })
  .tool(
    'order',
    {
      title: 'Order a coffee',
      description: 'Orders a coffee and says what it costs',
      input: z.object({ coffee: z.string(), cups: z.number().int().min(1).default(1) }),
      output: z.object({ coffee: z.string(), euros: z.number() }),
    },
    async ({ coffee, cups }, ctx) => {
      await ctx.progress(1, 2, 'grinding')
      const canAsk = ctx.caller.capabilities.elicitation !== undefined
      const { milk } = canAsk ? await ctx.elicit('With milk?', z.object({ milk: z.boolean() })) : { milk: false }
      await ctx.progress(2, 2, 'pouring')
      return { coffee: milk ? `${coffee} with milk` : coffee, euros: 3 * cups }
    },
  )
  .resource('cafe://menu', { name: 'menu', mimeType: 'text/plain' }, () => 'espresso, cortado')
  .prompt(
    'recommend',
    { arguments: z.object({ mood: z.string() }) },
    ({ mood }) => `What suits somebody who is ${mood}?`,
  )

console.log('One server, one client, one line of code that asks the user. Five revisions of the protocol:\n')

for (const revision of revisions) {
  const steps: string[] = []
  await using mcp = await connect(cafe, {
    revisions: [revision],
    elicitation: ({ message }) => {
      steps.push(`asked "${message}"`)
      return { action: 'accept', content: { milk: true } }
    },
  })
  const result = await mcp.tools.call(
    'order',
    { coffee: 'cortado', cups: 2 },
    { onProgress: ({ progress, message }) => steps.push(message ?? `step ${progress}`) },
  )
  const { contents } = await mcp.resources.read('cafe://menu')
  const [block] = result.content
  console.log(`${mcp.revision}  ${steps.join(', ') || 'nothing was asked'}`)
  console.log(`            ${result.isError ? 'failed: ' : ''}${block?.type === 'text' ? block.text : '?'}`)
  console.log(
    `            structured: ${JSON.stringify(result.structuredContent) ?? 'this revision has no such thing'}`,
  )
  console.log(`            menu: ${contents[0] && 'text' in contents[0] ? contents[0].text : '?'}\n`)
  assert.equal(mcp.revision, revision)
}
