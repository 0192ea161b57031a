import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { server } from '@trunkline/mcp'
import { toNode } from '@trunkline/mcp/node'
import { z } from 'zod'
import { until } from '../../../../tools/lib/until.ts'
import type { WireItem } from '../../src/gateway/wire/wire-item.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { callerOf, type Person, person, programEntry } from '../run/person.ts'

const remote = server({ name: 'remote', version: '1' }).tool(
  'say',
  { input: z.object({ text: z.string() }), annotations: { readOnlyHint: true } },
  ({ text }) => text,
)

describe('the wire log', () => {
  let ann: Person
  let running: RunningHost
  const http = createServer(toNode(remote))
  before(async () => {
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
    ann = person()
    ann.configure({
      mcpServers: {
        one: programEntry(),
        quiet: programEntry('upstream', { record: 'off' }),
        remote: { url, headers: { 'X-Key': 'hush-hush' } },
      },
      policy: { allow: ['*:*'] },
    })
    running = await ann.run()
    for (const name of ['one', 'quiet', 'remote']) await running.host.accept(name)
  })
  after(async () => {
    await running.close()
    ann[Symbol.dispose]()
    http.close()
    http.closeAllConnections()
  })

  /** The items of the newest act of a tool. */
  function itemsOf(tool: string): readonly WireItem[] {
    const { log } = running.host.wire
    const messages = log.items.filter((item) => item.kind === 'message' && item.text.includes(`"${tool}"`))
    return log.items.filter(({ act }) => act === messages.at(-1)?.act)
  }

  it('is not kept while unwatched', async () => {
    await using editor = await callerOf(running)
    await editor.tools.call('one__echo', { text: 'unseen' })
    assert.deepEqual(running.host.wire.log.items, [])
  })

  for (const revisions of [['2026-07-28'], ['2025-11-25']] as const) {
    it(`both hops of a call are kept in order, with their HTTP and without secrets (${revisions})`, async () => {
      const stop = running.host.wire.log.watch()
      await using editor = await callerOf(running, 'editor', { revisions })
      await editor.tools.call('remote__say', { text: 'hello', token: 'abc' })
      // a request is over when its response has left
      await until(() => itemsOf('say').length >= 6)
      stop()
      const items = itemsOf('say')
      const passed = items.flatMap((item) => (item.kind === 'message' ? [`${item.hop} ${item.direction}`] : []))
      assert.deepEqual(passed, ['caller received', 'server sent', 'server received', 'caller sent'])
      const https = items.flatMap((item) => (item.kind === 'http' ? [item] : []))
      assert.deepEqual(https.map(({ hop, status }) => `${hop} ${status}`).sort(), ['caller 200', 'server 200'])
      const all = JSON.stringify(items)
      assert.doesNotMatch(all, /hush-hush|abc"|tl_/)
      assert.match(all, /"x-key":"\[masked\]"/)
      assert.match(all, /remote__say/)
    })
  }

  it('calls at the same time are told apart, also those of a program', async () => {
    const stop = running.host.wire.log.watch()
    await using editor = await callerOf(running)
    const texts = Array.from({ length: 20 }, (_, index) => `text-${index}-`)
    await Promise.all(texts.map((text) => editor.tools.call('one__echo', { text })))
    stop()
    for (const text of texts) {
      const items = itemsOf('echo').filter(({ act }) => act !== undefined)
      assert.equal(items.filter(({ kind }) => kind === 'message').length, 4)
      const own = running.host.wire.log.items.filter((item) => item.kind === 'message' && item.text.includes(text))
      assert.equal(new Set(own.map(({ act }) => act)).size, 1)
      assert.equal(own.length, 4)
    }
  })

  it('nothing is kept of a server whose record is off', async () => {
    const stop = running.host.wire.log.watch()
    await using editor = await callerOf(running)
    await editor.tools.call('quiet__echo', { text: 'secret-of-quiet' })
    stop()
    assert.doesNotMatch(JSON.stringify(running.host.wire.log.items), /secret-of-quiet/)
  })

  it('is a recording with the opening of the server before the calls', () => {
    const [head, ...lines] = running.host.wire.recording('one').map((line) => JSON.parse(line))
    assert.deepEqual([head.recording, head.format], ['trunkline', 1])
    const methods = lines.map(({ message }) => message.method).filter(Boolean)
    assert.ok(methods.indexOf('tools/list') < methods.indexOf('tools/call'))
    const ids = lines
      .filter(({ direction, message }) => direction === 'sent' && message.method)
      .map(({ message }) => message.id)
    assert.equal(new Set(ids).size, ids.length)
  })

  it('state changes of servers are known', () => {
    const states = running.host.states.since(0).filter(({ server }) => server === 'one')
    assert.deepEqual(
      states.slice(-2).map(({ state }) => state),
      ['starting', 'ready'],
    )
  })
})
