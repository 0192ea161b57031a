/** A server whose tools stand in a JSON file: `[{ "name", "description" }]`, read when it starts. */
import { readFileSync } from 'node:fs'
import { serve, server } from '@trunkline/mcp'

const tools = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as { name: string; description: string }[]
const made = tools.reduce(
  (so, { name, description }) => so.tool(name, { description }, () => `${name}: ${description}`),
  server({ name: 'from-file', version: '1.0.0' }),
)

await serve(made)
