/** A server that shows the effect of its settings: its start, and tools of each class. */
import { serve, server } from '@trunkline/mcp'
import { z } from 'zod'

const args = process.argv.splice(2)
const self = JSON.stringify({ args, env: process.env, cwd: process.cwd() })
const input = z.object({ text: z.string() })

await serve(
  server({ name: 'probe', version: '1.0.0' })
    .tool('read_self', {}, () => self)
    .tool('read_text', { input: z.object({ bytes: z.number() }) }, ({ bytes }) => 'x'.repeat(bytes))
    .tool('read_note', { input }, ({ text }) => text)
    .tool('write_note', { input }, ({ text }) => text)
    .tool('write_page', { input }, ({ text }) => text)
    .tool('list_notes', {}, () => 'no notes'),
)
