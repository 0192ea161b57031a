/** A server whose tools only read: one reaches beyond its server, the other does not. */
import { serve, server } from '@trunkline/mcp'
import { z } from 'zod'

const input = z.object({ text: z.string() })

await serve(
  server({ name: 'open-world', version: '1.0.0' })
    .tool('search_web', { input, annotations: { readOnlyHint: true, openWorldHint: true } }, ({ text }) => text)
    .tool('read_note', { input, annotations: { readOnlyHint: true, openWorldHint: false } }, ({ text }) => text),
)
