/** A server whose tools declare their effects; one of them has more than it declares. */
import { writeFileSync } from 'node:fs'
import { serve, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { z } from 'zod'

const declaredEffects = server({ name: 'declared-effects', version: '1.0.0', extensions: [contract()] })
  .tool('get_report', { effects: { reads: ['./notes/**'] } }, () => 'report')
  .tool('get_mirror', { effects: { network: ['mirror.example.com'] } }, () => 'mirrored')
  .tool('get_cleaned', { effects: { deletes: ['./tmp/*.log'] } }, () => 'cleaned')
  .tool('save', { input: z.object({ path: z.string() }), effects: { writes: ['./dist/**'] } }, ({ path }) => {
    writeFileSync(path, 'saved')
    return 'saved'
  })

await serve(declaredEffects)
