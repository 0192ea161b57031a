// region every
import assert from 'node:assert/strict'
import { everyRevision, join, script } from '@trunkline/mcp/testing'
import { charged, polite, till } from './asking.ts'
import { shop } from './servers.ts'
// endregion

export async function tests(): Promise<void> {
  // region every
  await everyRevision(shop, async ({ client }) => {
    const { content } = await client.tools.call('greet', { name: 'Ada' })
    assert.deepEqual(content, [{ type: 'text', text: 'Hello, Ada!' }])
  })
  // endregion

  // region script
  const user = script({ elicitations: [{ size: 'M' }, { sure: true }], samples: ['Thank you!'] })
  await using pair = await join(till, user.options)
  const { content } = await pair.client.tools.call('checkout', { item: 'coat' })
  user.assertDone()
  // endregion
  assert.deepEqual(content, [{ type: 'text', text: 'Sent with receipt 1. Thank you!' }])
  assert.deepEqual(charged, ['coat'])

  // region transcript
  console.log(pair.transcript.toString())
  // endregion

  const unwilling = script({ elicitations: [{ action: 'decline' }] })
  await using other = await join(polite, unwilling.options)
  const declined = await other.client.tools.call('careful', {})
  assert.deepEqual(declined.content, [{ type: 'text', text: 'Then not.' }])
}
