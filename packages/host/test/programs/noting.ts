/** A server that notes every call that reaches it in the file `NOTES`, and can only write. */

import { appendFileSync } from 'node:fs'
import { serve, server } from '@trunkline/mcp'
import { z } from 'zod'

const input = z.object({ text: z.string() })
const noted = (tool: string) => (args: { readonly text: string }) => {
  appendFileSync(process.env.NOTES ?? '', `${process.env.NAME} ${tool} ${args.text}\n`)
  return 'done'
}

await serve(
  server({ name: 'noting', version: '1.0.0' })
    .tool('write', { input }, noted('write'))
    .tool('send', { input }, noted('send')),
)
