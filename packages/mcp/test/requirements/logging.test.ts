import assert from 'node:assert/strict'
import { InvalidParams, type LogMessage, MethodNotFound } from '../../src/index.ts'
import { isStateless, meta } from './harness/dress.ts'
import { verifies } from './verifies.ts'

verifies('logging: by level', async ({ open }) => {
  for (const [logLevel, expected] of [
    ['debug', ['debug', 'info', 'warning', 'emergency']],
    ['notice', ['warning', 'emergency']],
    ['alert', ['emergency']],
  ] as const) {
    const heard: string[] = []
    const client = await open('logging', { logLevel, onLog: ({ level }) => heard.push(level) })
    await client.tools.call('work', {})
    assert.deepEqual(heard, expected)
    await client.close()
  }
})

verifies('logging: shape', async ({ open }) => {
  const heard: LogMessage[] = []
  const client = await open('logging', {
    onLog: ({ level, logger, data }) => heard.push({ level, logger, data } as LogMessage),
  })
  await client.tools.call('work', {})
  assert.deepEqual(heard, [
    { level: 'info', logger: 'worker', data: { step: 1 } },
    { level: 'warning', logger: undefined, data: ['odd'] },
    { level: 'emergency', logger: undefined, data: null },
  ])
})

verifies('logging: level can change', async ({ open }) => {
  const heard: string[] = []
  const client = await open('logging', { onLog: ({ level }) => heard.push(level) })
  await client.setLogLevel('critical')
  await client.tools.call('work', {})
  assert.deepEqual(heard, ['emergency'])
})

verifies('logging: setLevel', async ({ raw }) => {
  const end = await raw('logging')
  assert.deepEqual(await end.result('logging/setLevel', { level: 'alert' }), {})
  await end.result('tools/call', { name: 'work' })
  assert.deepEqual(
    end.told('notifications/message').map(({ params }) => params),
    [{ level: 'emergency', data: null }],
  )
})

verifies(['logging: logLevel', 'logging: unasked'], async ({ raw }) => {
  const end = await raw('logging')
  await end.result('tools/call', { name: 'work', _meta: { [meta.logLevel]: 'alert' } })
  assert.equal(end.told('notifications/message').length, 1)
  await end.result('tools/call', { name: 'work' })
  assert.equal(end.told('notifications/message').length, 1)
})

verifies('logging: never while listening', async ({ raw }) => {
  const end = await raw('changing')
  const listening = {
    notifications: { toolsListChanged: true },
    _meta: { [meta.logLevel]: 'debug', progressToken: 'p' },
  }
  end.send(end.request('subscriptions/listen', listening, 'listen'))
  await end.until(({ method }) => method === 'notifications/subscriptions/acknowledged')
  await end.result('tools/call', { name: 'log', _meta: { [meta.logLevel]: 'debug' } })
  const [message, ...others] = end.told('notifications/message')
  assert.deepEqual(message?.params, { level: 'error', data: 'logged' })
  assert.deepEqual([...others, ...end.told('notifications/progress')], [])
  end.notify('notifications/cancelled', { requestId: 'listen' })
})

verifies('logging: unknown level', async ({ raw, revision }) => {
  const end = await raw('logging')
  const refusal = isStateless(revision)
    ? await end.refusal('tools/call', { name: 'work', _meta: { [meta.logLevel]: 'loud' } })
    : await end.refusal('logging/setLevel', { level: 'loud' })
  assert.equal(refusal.code, InvalidParams)
})

verifies('logging: not offered', async ({ raw }) => {
  const end = await raw('bare')
  assert.equal((await end.refusal('logging/setLevel', { level: 'info' })).code, MethodNotFound)
})
