import assert from 'node:assert/strict'
// region client
import { fileURLToPath } from 'node:url'
import { connect } from '@trunkline/mcp'
import type { weather } from './weather.ts'

const program = fileURLToPath(new URL('server.ts', import.meta.url))

await using mcp = await connect<typeof weather>(
  { command: process.execPath, args: [program] },
  { elicitation: () => ({ action: 'accept', content: { unit: 'C' } }) },
)
for await (const tool of mcp.tools.list()) console.log(tool.name, '-', tool.description)

const { structuredContent } = await mcp.tools.call('forecast', { city: 'Oslo' })
console.log(`${structuredContent?.city}: ${structuredContent?.degrees} °${structuredContent?.unit}`)
// endregion
assert.deepEqual(structuredContent, { city: 'Oslo', degrees: 21, unit: 'C' })
