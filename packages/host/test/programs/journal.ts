/** A server that writes down its calls, so that a test can count them afterwards: `journal.ts FILE`. */
import { appendFileSync } from 'node:fs'
import { serve, server } from '@trunkline/mcp'
import { z } from 'zod'

const [file = ''] = process.argv.splice(2)

const journal = server({ name: 'journal', version: '1.0.0' })
  .tool('write', { input: z.object({ nonce: z.string() }) }, ({ nonce }) => {
    appendFileSync(file, `${nonce}\n`)
    return nonce
  })
  .tool('look', { input: z.object({ nonce: z.string() }), annotations: { readOnlyHint: true } }, () => 'seen')
  .tool('send', { input: z.object({ nonce: z.string() }) }, ({ nonce }) => nonce)

await serve(journal)
