import assert from 'node:assert/strict'
import { it } from 'node:test'
import { queryLedger } from '../../src/ledger/query.ts'
import { chatting } from '../chat/chatting.ts'
import { programSpec, runningHost, textOf } from '../gateway/running-host.ts'
import { callerOf, programEntry } from '../run/person.ts'

it('one trace id from the chat over two hosts to the innermost server, in the record of each', async () => {
  await using inner = await runningHost({ servers: [programSpec('trace', 'trace')] })
  const { token } = await inner.host.principals.make({ name: 'outer' })
  const library = { url: inner.host.url, headers: { authorization: `Bearer ${token}` } }
  const calls = [{ id: 'c1', name: 'library__trace__trace', arguments: {} }]
  await using at = await chatting([{ calls }, { text: ['done'] }], {
    settings: { mcpServers: { one: programEntry(), library }, policy: { allow: ['*:*'] } },
  })
  const { id } = await at.api.call('startChat', {})
  const events = await at.say(id, { text: 'Go' })
  const result = events.find((event) => event.type === 'result')
  const told = result && textOf(result as never)
  const [, trace] = /^00-([0-9a-f]{32})-[0-9a-f]{16}-01$/.exec(told ?? '') ?? assert.fail(JSON.stringify(events))
  const traces = (host: typeof inner.host, principal: string) =>
    queryLedger(host.store, {}).flatMap(({ line }) =>
      line.actKind === 'call' && line.principal === principal ? [line.trace] : [],
    )
  assert.deepEqual([...new Set(traces(at.running.host, 'chat'))], [trace])
  assert.deepEqual([...new Set(traces(inner.host, 'outer'))], [trace])

  // a caller that has a trace is followed, not answered with another
  await using client = await callerOf(at.running)
  const traceparent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`
  const followed = await client.request('tools/call', {
    name: 'library__trace__trace',
    arguments: {},
    _meta: { traceparent },
  })
  assert.match(JSON.stringify(followed), new RegExp(`00-${'ab'.repeat(16)}-`))
  assert.ok(traces(inner.host, 'outer').includes('ab'.repeat(16)))

  // the trace also counts the hosts: this one may be the eighth, the one behind it not the ninth
  const through = (tracestate: string) =>
    client.request('tools/call', { name: 'library__trace__trace', arguments: {}, _meta: { traceparent, tracestate } })
  assert.match(JSON.stringify(await through('trunkline=6')), new RegExp('ab'.repeat(16)))
  for (const count of [7, 8]) {
    await assert.rejects(through(`trunkline=${count}`), /passed 8 hosts, so one of them is behind itself/)
  }
})

for (const [what, change, found] of [
  ['changed', `UPDATE ledger_line SET text = replace(text, '"editor"', '"nobody"')`, /was altered/],
  ['taken out', 'DELETE FROM ledger_line WHERE number = 1', /line 1 is missing/],
  ['taken off its end', 'DELETE FROM ledger_line WHERE number = (SELECT max(number) FROM ledger_line)', /is missing/],
] as const) {
  it(`a line of the record that was ${what} is found`, async () => {
    await using running = await runningHost({ servers: [programSpec('trace', 'trace')] })
    await using mcp = await running.dial()
    await mcp.tools.call('trace__trace', {})
    await running.host.ledger.sign()
    assert.equal(running.host.ledger.verify().broken, undefined)
    running.host.store.database.exec(change)
    assert.match(running.host.ledger.verify().broken?.why ?? '', found)
  })
}
