import assert from 'node:assert/strict'
import { InvalidRequest, ParseError } from '../../src/index.ts'
import type { Heard } from './harness/raw-end.ts'
import { verifies } from './verifies.ts'

verifies('base: ids of a client', async ({ open, sent }) => {
  const client = await open('tools')
  await Promise.all([client.tools.call('echo', {}), client.tools.call('echo', {}), client.tools.list().all()])
  const ids = sent().flatMap(({ id, method }) => (method === 'notifications/initialized' ? [] : [id]))
  for (const id of ids) assert.ok(typeof id === 'string' || Number.isInteger(id), `${id}`)
  assert.equal(new Set(ids).size, ids.length)
})

verifies('base: ids are repeated', async ({ raw }) => {
  const end = await raw('tools')
  for (const id of [0, '', 'a', '7', -1, 2 ** 53 - 1]) {
    const answer = await end.ask('tools/call', { name: 'echo' }, id)
    assert.equal(answer.id, id)
    assert.ok(answer.result)
  }
})

verifies('base: ids of different types', async ({ raw }) => {
  const end = await raw('working')
  const number = end.ask('tools/call', { name: 'witness', arguments: { event: 'number' } }, 5)
  const string = end.ask('tools/call', { name: 'witness', arguments: { event: 'string' } }, '5')
  await end.result('tools/call', { name: 'signal', arguments: { event: 'string', detail: 'I am text' } })
  assert.deepEqual((await string).result?.content, [{ type: 'text', text: 'I am text' }])
  await end.result('tools/call', { name: 'signal', arguments: { event: 'number', detail: 'I count' } })
  assert.deepEqual((await number).result?.content, [{ type: 'text', text: 'I count' }])
})

verifies('base: id in use', async ({ raw }) => {
  const end = await raw('working')
  end.send(end.request('tools/call', { name: 'witness', arguments: { event: 'later' } }, 'twin'))
  const refused = await end.ask('tools/call', { name: 'signal', arguments: { event: 'never' } }, 'twin')
  assert.equal(refused.error?.code, InvalidRequest)
  await end.result('tools/call', { name: 'signal', arguments: { event: 'later' } })
  await end.until(({ id, result }) => id === 'twin' && result !== undefined)
})

verifies('base: shape of a failure', async ({ raw }) => {
  const end = await raw('tools')
  const { jsonrpc, id, error, ...others } = await end.ask('tools/call', { name: 'sing' }, 'failing')
  assert.equal(jsonrpc, '2.0')
  assert.equal(id, 'failing')
  assert.ok(Number.isInteger(error?.code))
  assert.equal(typeof error?.message, 'string')
  assert.deepEqual(others, {})
})

const isFailure = ({ error }: Heard): boolean => error !== undefined

verifies('base: parse error', async ({ raw }) => {
  const end = await raw('tools')
  end.sendText('{"jsonrpc":')
  assert.equal((await end.until(isFailure)).error?.code, ParseError)
  await end.settled()
})

verifies('base: unreadable id is null', async ({ raw }) => {
  const end = await raw('tools')
  end.sendText('{"jsonrpc":')
  assert.equal((await end.until(isFailure)).id, null)
})

verifies('base: unreadable id is left out', async ({ raw }) => {
  const end = await raw('tools')
  end.sendText('{"jsonrpc":')
  assert.ok(!('id' in (await end.until(isFailure))))
})

verifies('base: invalid request', async ({ raw }) => {
  const end = await raw('tools')
  const request = { jsonrpc: '2.0', id: 'odd', method: 'tools/list' }
  const odd = [7, 'ping', null, {}, { ...request, id: null }, { ...request, id: 1.5 }, { ...request, id: true }]
  const readable = [
    { ...request, jsonrpc: '1.0' },
    { ...request, method: 7 },
    { ...request, params: [] },
  ]
  for (const message of [...odd, ...readable]) {
    const before = end.heard.length
    end.send(message)
    await end.settled()
    const answers = end.heard.slice(before).filter(isFailure)
    assert.deepEqual(
      answers.map(({ error }) => error?.code),
      [InvalidRequest],
      JSON.stringify(message),
    )
    if (readable.includes(message as never)) assert.equal(answers[0]?.id, 'odd')
  }
})

verifies('base: only messages on stdout', async ({ raw }) => {
  const end = await raw('tools')
  await end.result('tools/call', { name: 'echo', arguments: { text: 'one\ntwo\u2028three' } })
  await end.result('tools/call', { name: 'print' })
  for (const message of end.heard) assert.equal(message.jsonrpc, '2.0')
})

verifies('base: end of input', async ({ raw }) => {
  const end = await raw('tools', { fresh: true })
  end.send(end.request('tools/call', { name: 'echo' }, 'last'))
  // ends its input, and fails unless the program then exits by itself
  await end.close()
  assert.ok((await end.answer('last')).result)
})

verifies('base: notifications are not answered', async ({ raw }) => {
  const end = await raw('tools')
  const before = end.heard.length
  end.notify('notifications/cancelled', { requestId: 'nothing' })
  end.notify('notifications/cancelled', { requestId: { not: 'an id' } })
  end.notify('notifications/progress', { progressToken: 'nothing', progress: 1 })
  end.notify('notifications/unheard_of', {})
  end.notify('tools/call', { name: 'echo' })
  await end.settled()
  assert.equal(end.heard.length, before + 1)
})

verifies('base: stray notifications', async ({ play, warnings }) => {
  const client = await play({
    'tools/call': [
      [
        { method: 'notifications/unheard_of', params: {} },
        { method: 'notifications/progress', params: { progressToken: 'nothing', progress: 1 } },
        { method: 'notifications/message', params: { level: 'unheard of' } },
        { result: { content: [] } },
      ],
    ],
  })
  assert.deepEqual((await client.tools.call('any', {})).content, [])
  assert.match(warnings.join(), /"notifications\/message"/)
})

verifies('base: stray responses to a server', async ({ raw }) => {
  const end = await raw('tools')
  const before = end.heard.length
  end.send({ jsonrpc: '2.0', id: 99, result: {} })
  end.send({ jsonrpc: '2.0', id: 'x', error: { code: 1, message: 'No' } })
  end.send({ jsonrpc: '2.0', error: { code: 1, message: 'No' } })
  await end.settled()
  assert.equal(end.heard.length, before + 1)
})

verifies('base: stray responses to a client', async ({ play, warnings, transport }) => {
  const wrong = { content: [{ type: 'text', text: 'wrong' }] }
  const client = await play({
    'tools/call': [
      [
        { id: 9999, result: wrong },
        { id: '0', result: wrong },
        { id: '1', result: wrong },
        { id: null, error: { code: -32600, message: 'No idea' } },
        { result: { content: [] } },
        { result: wrong },
      ],
    ],
    ping: [[{ result: {} }]],
  })
  assert.deepEqual((await client.tools.call('any', {})).content, [])
  await client.ping()
  // what names no request is about the one that it came back to, where there is only one
  assert.equal(warnings.length, transport === 'http' || transport === 'http-session' ? 3 : 4)
})

verifies('base: a server asks nothing', async ({ raw }) => {
  const end = await raw('asking', { capabilities: { elicitation: {}, sampling: {}, roots: {} } })
  for (const name of ['name', 'sample', 'roots', 'all at once']) await end.result('tools/call', { name })
  assert.deepEqual(
    end.heard.filter(({ id, method }) => id !== undefined && method !== undefined),
    [],
  )
})

verifies('base: a client answers nothing', async ({ play, sent, warnings, transport }) => {
  const client = await play(
    {
      'tools/call': [
        [
          { id: 'a', method: 'ping' },
          { id: 'b', method: 'roots/list' },
          { id: 'c', method: 'unheard/of' },
          { result: { content: [] } },
        ],
      ],
    },
    { roots: [] },
  )
  await client.tools.call('any', {})
  await client.ping()
  assert.deepEqual(
    sent().filter(({ method }) => method === undefined),
    [],
  )
  // the response to a request has no room for others, so the client never sees them
  assert.equal(warnings.length, transport === 'http' ? 0 : 3)
})
