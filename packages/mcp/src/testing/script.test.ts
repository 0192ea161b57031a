import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { server } from '../server/server.ts'
import { join } from './revisions.ts'
import { script } from './script.ts'

test('assertDone names the answers that were not asked for', async () => {
  const user = script({ elicitations: [{ sure: true }, { size: 'M' }], samples: ['Thank you!'] })
  const shop = server({ name: 'shop', version: '1.0.0', onWarning: () => {} }).tool('ask', {}, async (_, ctx) => {
    await ctx.elicit('Sure?', z.object({ sure: z.boolean() }))
  })
  await using pair = await join(shop, user.options)
  await pair.client.tools.call('ask', {})
  assert.throws(() => user.assertDone(), {
    code: 'Misuse',
    message: 'The script has unused answers: elicitations[1] {"size":"M"}, samples[0] "Thank you!"',
  })
})
