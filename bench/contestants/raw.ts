import { shapes } from '../wire/shapes.ts'
import type { Contestant } from './contestant.ts'
import { typedSchemas, typedTools } from './typed-tools.ts'

/** The limit: Node, JSON.parse and JSON.stringify, nothing checked. */
export const raw: Contestant = {
  name: 'raw',
  http: shapes.map((shape) => ({ program: 'raw/http', shape, holdsStreams: true, reportsProgress: true })),
  stdio: shapes
    .filter((shape) => shape.label !== '2025-06-18 no session')
    .map((shape) => ({ program: 'raw/stdio', shape })),
  memory: 'raw/memory',
  client: 'raw/client',
  typedServer: (tools) => `import { z } from 'zod'
${typedSchemas(tools)}
${typedTools(tools, (n) => `export const tool${n} = ({ text${n} }: z.infer<typeof input${n}>) => text${n}`)}
`,
}
