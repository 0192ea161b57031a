import assert from 'node:assert/strict'
import { InvalidParams } from '../../src/index.ts'
import type { Fields } from '../../src/wire/messages.ts'
import { notebook, toggle, touch, updated } from './harness/changing.ts'
import { meta } from './harness/dress.ts'
import type { Heard, RawEnd } from './harness/raw-end.ts'
import { verifies } from './verifies.ts'

const acknowledged = 'notifications/subscriptions/acknowledged'
const everything = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }
const labelOf = ({ params }: Heard) => (params?._meta as Fields | undefined)?.[meta.subscription]

/** Starts listening, and waits until the server has agreed. */
function listen(end: RawEnd, id: string | number, notifications: Fields): Promise<Heard> {
  end.send(end.request('subscriptions/listen', { notifications }, id))
  return end.until((message) => message.method === acknowledged && labelOf(message) === id)
}

const stop = (end: RawEnd, id: string | number) => end.notify('notifications/cancelled', { requestId: id })

verifies('listen: acknowledged first', async ({ raw }) => {
  const end = await raw('changing')
  const filter = { ...everything, resourceSubscriptions: ['test:news'] }
  const agreed = await listen(end, 'ears', filter)
  assert.deepEqual(agreed.params?.notifications, filter)
  assert.equal(
    end.heard.find((message) => labelOf(message) === 'ears'),
    agreed,
  )
  stop(end, 'ears')
})

verifies('listen: unsupported kinds are left out', async ({ raw }) => {
  const end = await raw('bare')
  const agreed = await listen(end, 'ears', { ...everything, resourceSubscriptions: ['test:news'] })
  assert.deepEqual(agreed.params?.notifications, {})
  stop(end, 'ears')
})

verifies('listen: labelled', async ({ raw }) => {
  const end = await raw('changing')
  for (const id of [7, '7', 0]) {
    await listen(end, id, { toolsListChanged: true, resourceSubscriptions: ['test:news'] })
    await toggle(end, 'tools')
    await touch(end, 'test:news')
    await end.until((message) => message.method === updated && labelOf(message) === id)
    stop(end, id)
    await end.settled()
  }
  const labels = end.heard.filter(({ method }) => method !== undefined).map(labelOf)
  assert.deepEqual(labels, [7, 7, 7, '7', '7', '7', 0, 0, 0])
})

verifies('listen: several at once', async ({ raw }) => {
  const end = await raw('changing')
  await listen(end, 'tools', { toolsListChanged: true })
  await listen(end, 'news', { resourceSubscriptions: ['test:news'] })
  await listen(end, 'both', { toolsListChanged: true, resourceSubscriptions: ['test:news'] })
  await toggle(end, 'tools')
  await touch(end, 'test:news')
  await end.settled()
  const heardBy = (method: string) => end.told(method).map(labelOf).sort()
  assert.deepEqual(heardBy('notifications/tools/list_changed'), ['both', 'tools'])
  assert.deepEqual(heardBy(updated), ['both', 'news'])
  for (const id of ['tools', 'news', 'both']) stop(end, id)
})

verifies('listen: bad filter', async ({ raw }) => {
  const end = await raw('changing')
  for (const notifications of [undefined, [], { toolsListChanged: 'yes' }, { resourceSubscriptions: 'test:news' }]) {
    const params = notifications === undefined ? {} : { notifications }
    assert.equal((await end.refusal('subscriptions/listen', params)).code, InvalidParams)
  }
})

verifies('listen: cancelled by the client', async ({ raw }) => {
  const end = await raw('changing')
  await listen(end, 'ears', everything)
  stop(end, 'ears')
  await toggle(end, 'tools')
  await end.settled()
  assert.deepEqual(
    end.heard.filter(({ id, method }) => id === 'ears' || method?.endsWith('list_changed')),
    [],
  )
})

verifies('listen: ended by the server', async ({ raw }) => {
  const end = await raw('changing', { fresh: true })
  await listen(end, 'ears', everything)
  end.send(end.request('tools/call', { name: 'close' }))
  const { result } = await end.answer('ears')
  assert.equal(result?.resultType, 'complete')
  assert.equal((result?._meta as Fields | undefined)?.[meta.subscription], 'ears')
})

verifies('listen: cancelled by the server', async ({ raw }) => {
  const end = await raw('changing', { fresh: true })
  await listen(end, 'ears', everything)
  end.send(end.request('tools/call', { name: 'close' }))
  const { params } = await end.until(({ method }) => method === 'notifications/cancelled')
  assert.equal(params?.requestId, 'ears')
})

verifies('listen: client sees the end', async ({ play }) => {
  const _meta = { [meta.subscription]: '$id' }
  const agreed = { method: acknowledged, params: { notifications: {}, _meta } }
  const cancelled = { method: 'notifications/cancelled', params: { requestId: '$id' } }
  const answered = { result: { resultType: 'complete', _meta } }
  for (const ending of [[answered], [cancelled], [cancelled, answered], [answered, cancelled]]) {
    const client = await play({ 'subscriptions/listen': [[agreed, ...ending]] })
    await client.watch({ tools: true }, () => {})
    await client.ping()
    assert.deepEqual(client.live, { pending: 0, serving: 0, watching: 0 })
  }
})

verifies('listen: parts of a resource', async ({ play }) => {
  const _meta = { [meta.subscription]: '$id' }
  const client = await play({
    'subscriptions/listen': [
      [
        { method: acknowledged, params: { notifications: {}, _meta } },
        { method: updated, params: { uri: 'test:news/today', _meta } },
      ],
    ],
  })
  const { write, next } = notebook()
  const heard = next()
  await client.watch({ uris: ['test:news'] }, write)
  assert.deepEqual(await heard, { kind: 'resource', uri: 'test:news/today' })
})

verifies('listen: server cancels nothing else', async ({ raw }) => {
  const end = await raw('asking', { capabilities: { sampling: {}, elicitation: {} } })
  await end.result('tools/call', {
    name: 'all at once',
    _meta: { [meta.clientCapabilities]: { sampling: {}, elicitation: {}, roots: {} } },
  })
  await end.result('tools/call', { name: 'in turn' })
  await end.refusal('tools/call', { name: 'roots' })
  assert.deepEqual(end.told('notifications/cancelled'), [])
})
