import { session2506, session2511, stateless } from '../wire/shapes.ts'
import type { Contestant } from './contestant.ts'
import { typedSchemas, typedTools } from './typed-tools.ts'

const everything = { holdsStreams: true, reportsProgress: true }

/** Ours, with every protection at its default. */
export const trunkline: Contestant = {
  name: 'trunkline',
  http: [stateless, session2511, session2506].map((shape) => ({ program: 'trunkline/http', shape, ...everything })),
  stdio: [stateless, session2511].map((shape) => ({ program: 'trunkline/stdio', shape })),
  memory: 'trunkline/memory',
  memoryWith: { 'tasks enabled': 'trunkline/memory-extensions' },
  client: 'trunkline/client',
  library: { packages: ['@trunkline/mcp'], entry: '@trunkline/mcp' },
  typedServer: (tools) => `import { server } from '@trunkline/mcp'
import { z } from 'zod'
${typedSchemas(tools)}
const definition = server({ name: 'typed', version: '1.0.0' })
${typedTools(tools, (n) => `definition.tool('tool-${n}', { input: input${n} }, ({ text${n} }) => text${n})`)}
`,
}
