import { connect } from '@trunkline/mcp'
import type { greeter } from './greeter.ts'

const [program = 'dist/server.js'] = process.argv.slice(2)
await using client = await connect<typeof greeter>({ command: process.execPath, args: [program] })
console.log(`Connected to ${client.server?.name}, in revision ${client.revision}`)

for await (const tool of client.tools.list()) console.log(`${tool.name}: ${tool.description}`)

const { content } = await client.tools.call('greet', { name: 'Ada' })
console.log(content)
