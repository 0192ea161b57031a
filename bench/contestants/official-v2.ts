import { session2506, session2511, stateless } from '../wire/shapes.ts'
import type { Contestant } from './contestant.ts'
import { typedSchemas, typedTools } from './typed-tools.ts'

const everything = { holdsStreams: true, reportsProgress: true }

/** The official SDK, version 2. */
export const officialV2: Contestant = {
  name: 'official v2',
  http: [
    { program: 'peers/official-v2/stateless', shape: stateless, ...everything },
    { program: 'peers/official-v2/session', shape: session2511, ...everything },
    { program: 'peers/official-v2/session', shape: session2506, ...everything },
  ],
  stdio: [stateless, session2511].map((shape) => ({ program: 'peers/official-v2/stdio', shape })),
  memory: 'peers/official-v2/memory',
  client: 'peers/official-v2/client',
  library: {
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/node'],
    entry: '@modelcontextprotocol/server',
  },
  typedServer: (tools) => `import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
${typedSchemas(tools)}
const server = new McpServer({ name: 'typed', version: '1.0.0' })
${typedTools(
  tools,
  (n) =>
    `server.registerTool('tool-${n}', { inputSchema: input${n} }, async ({ text${n} }) => ({ content: [{ type: 'text', text: text${n} }] }))`,
)}
`,
}
