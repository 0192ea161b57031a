import assert from 'node:assert/strict'
import { MethodNotFound } from '../../src/index.ts'
import { kinds, notebook, toggle, touch, updated } from './harness/changing.ts'
import { verifies } from './verifies.ts'

verifies('changes: reach watchers', async ({ open }) => {
  const client = await open('changing')
  const { write, next } = notebook()
  await client.watch({ tools: true, prompts: true, resources: true }, write)
  for (const kind of kinds) {
    const change = next()
    await client.tools.call('toggle', { kind })
    assert.deepEqual(await change, { kind })
  }
})

verifies('changes: only what is wanted', async ({ open }) => {
  const client = await open('changing')
  const { changes, write, next } = notebook()
  await client.watch({ prompts: true, uris: ['test:news'] }, write)
  const change = next()
  await client.tools.call('toggle', { kind: 'tools' })
  await client.tools.call('toggle', { kind: 'resources' })
  await client.tools.call('touch', { uri: 'test:extra' })
  await client.tools.call('toggle', { kind: 'prompts' })
  await change
  assert.deepEqual(changes, [{ kind: 'prompts' }])
})

verifies('changes: end with the watch', async ({ open }) => {
  const client = await open('changing')
  const watchers = async () => (await client.tools.call('watchers', {})).content
  const before = await watchers()
  const { changes, write } = notebook()
  const watching = await client.watch({ tools: true, uris: ['test:news'] }, write)
  assert.notDeepEqual(await watchers(), before)
  await watching.close()
  await client.tools.call('toggle', { kind: 'tools' })
  await client.tools.call('touch', { uri: 'test:news' })
  assert.deepEqual(await watchers(), before)
  assert.deepEqual(changes, [])
  assert.equal(client.live.watching, 0)
})

verifies('changes: watches are independent', async ({ open }) => {
  const client = await open('changing')
  const { write, next } = notebook()
  const first = await client.resources.watch('test:news', () => {})
  await client.watch({ uris: ['test:news'] }, write)
  await first.close()
  const change = next()
  await client.tools.call('touch', { uri: 'test:news' })
  assert.deepEqual(await change, { kind: 'resource', uri: 'test:news' })
})

verifies('changes: told unasked', async ({ raw }) => {
  const end = await raw('changing')
  for (const kind of kinds) {
    await toggle(end, kind)
    await end.until(({ method }) => method === `notifications/${kind}/list_changed`)
  }
})

verifies('changes: not told unasked', async ({ raw }) => {
  const end = await raw('changing')
  for (const kind of kinds) await toggle(end, kind)
  await touch(end, 'test:news')
  await end.settled()
  assert.deepEqual(
    end.heard.filter(({ method }) => method !== undefined),
    [],
  )
})

verifies('changes: client checks the notice', async ({ play, warnings }) => {
  const client = await play({
    'tools/call': [[{ method: updated, params: { uri: 7 } }, { result: { content: [] } }]],
  })
  await client.tools.call('any', {})
  assert.match(warnings.join(), /"notifications\/resources\/updated".*uri/)
})

verifies('subscribe: updates', async ({ raw }) => {
  const end = await raw('changing')
  assert.deepEqual(await end.result('resources/subscribe', { uri: 'test:news' }), {})
  await touch(end, 'test:extra')
  await touch(end, 'test:news')
  const notice = await end.until(({ method }) => method === updated)
  assert.deepEqual(notice.params, { uri: 'test:news' })
})

verifies('subscribe: twice is once', async ({ raw }) => {
  const end = await raw('changing')
  for (let time = 0; time < 2; time++) await end.result('resources/subscribe', { uri: 'test:news' })
  await touch(end, 'test:news')
  await end.settled()
  assert.equal(end.told(updated).length, 1)
})

verifies('subscribe: unsubscribe', async ({ raw }) => {
  const end = await raw('changing')
  await end.result('resources/subscribe', { uri: 'test:news' })
  assert.deepEqual(await end.result('resources/unsubscribe', { uri: 'test:news' }), {})
  await touch(end, 'test:news')
  await end.settled()
  assert.deepEqual(end.told(updated), [])
})

verifies('subscribe: not offered', async ({ raw }) => {
  const end = await raw('bare')
  assert.equal((await end.refusal('resources/subscribe', { uri: 'test:news' })).code, MethodNotFound)
})
