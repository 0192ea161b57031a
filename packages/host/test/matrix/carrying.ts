import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import type { Change, Fields } from '@trunkline/mcp'
import { isLong } from '../../../../tools/lib/long-form.ts'
import { until } from '../../../../tools/lib/until.ts'
import { deferred } from '../../src/relay/deferred.ts'
import { textOf } from '../gateway/running-host.ts'
import { type Behaviour, type Cell, result, said, shown } from './behaviours.ts'

/** Messages that pass between a caller and a server as they are. */
export const carrying: { readonly [what: string]: Behaviour } = {
  async progress(cell) {
    const heard: Fields[] = []
    const onProgress = ({ progress, total, message }: Fields) => heard.push({ progress, total, message })
    await cell.caller.client.tools.call(shown(cell, 'progress'), {}, { onProgress: onProgress as never })
    assert.deepEqual(heard, [
      { progress: 1, total: 2, message: 'half' },
      { progress: 2, total: 2, message: 'all' },
    ])
  },

  async 'log messages, from the level that the caller wants'(cell) {
    const { client, logs } = cell.caller
    const other = await cell.world.caller(cell.callerSide, 'two')
    await other.client.setLogLevel('debug')
    other.logs.length = 0
    await client.setLogLevel('error')
    await said(cell, 'log')
    assert.deepEqual(logs, [])
    await client.setLogLevel('warning')
    await said(cell, 'log')
    await until(() => logs.length > 0)
    const heard = logs.map(({ level, data, logger }) => ({ level, data, logger }))
    assert.deepEqual(heard, [{ level: 'warning', data: { about: 'this' }, logger: 'matrix' }])
    assert.deepEqual(other.logs, [], 'what one caller causes no other hears')
  },

  async 'a cancel, to the call that was cancelled'(cell) {
    const stops = { a: new AbortController(), b: new AbortController() }
    const ids = Object.keys(stops).map((id) => `${id} of ${cell.callerSide.shape} over ${cell.callerSide.over}`)
    const calls = Object.values(stops).map(({ signal }, index) => hanging(cell, ids[index] ?? '', signal))
    await Promise.all(calls.map(({ began }) => began))
    const before = await cancelled(cell)
    for (const id of ids) assert.ok(!before.includes(id))
    stops.b.abort(new Error('enough'))
    await assert.rejects(calls[1]?.ended ?? Promise.resolve(), /enough/)
    await until(async () => (await cancelled(cell)).includes(ids[1] ?? ''))
    assert.ok(!(await cancelled(cell)).includes(ids[0] ?? ''), 'the other one goes on')
    stops.a.abort(new Error('enough'))
    await assert.rejects(calls[0]?.ended ?? Promise.resolve(), /enough/)
    await until(async () => (await cancelled(cell)).includes(ids[0] ?? ''))
  },

  async 'a changed list'(cell) {
    const { client } = cell.caller
    const changes: Change['kind'][] = []
    const watching = await client.watch({ prompts: true }, ({ kind }) => changes.push(kind))
    const has = async () => (await client.prompts.list().all()).some(({ name }) => name === shown(cell, 'extra'))
    for (const isThere of [false, true]) {
      await said(cell, 'toggle')
      await until(() => changes.length > 0)
      changes.length = 0
      await until(async () => (await has()) === isThere)
    }
    await watching.close()
  },

  async 'a changed resource, and one below it'(cell) {
    const { client } = cell.caller
    const shelf = `${cell.server}:shelf`
    assert.ok((await client.resources.list().all()).some(({ uri }) => uri === shelf))
    assert.equal((await client.resources.read(shelf)).contents[0]?.uri, shelf)
    const changed: string[] = []
    const watching = await client.watch({ uris: [shelf] }, (change) => {
      if (change.kind === 'resource') changed.push(change.uri)
    })
    // a subscription at the server is made when a caller watches, and does not tell when it is there
    await until(async () => {
      await said(cell, 'touch', { uri: shelf })
      return changed.includes(shelf)
    })
    await said(cell, 'touch', { uri: `${shelf}/moby` })
    await until(() => changed.includes(`${shelf}/moby`))
    await said(cell, 'touch', { uri: `${shelf}-not` })
    await watching.close()
    assert.ok(!changed.includes(`${shelf}-not`))
    await until(() => cell.world.running.host.watchers.size === 0)
  },

  async completion(cell) {
    const { client } = cell.caller
    const target = { prompt: shown(cell, 'review'), argument: 'title' }
    assert.deepEqual((await client.complete(target, 'Emma', { genre: 'novel' })).values, ['Emma, a novel'])
    const template = { template: `${cell.server}:shelf/{title}`, argument: 'title' }
    assert.deepEqual((await client.complete(template, 'em')).values, ['em-1', 'em-2'])
  },

  async 'metadata, structured content and fields that nobody knows'(cell) {
    const { client } = cell.caller
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const meta = { 'example.com/forth': 1, traceparent, 'dev.trunkline/hop': 2 }
    const params = { name: shown(cell, 'typed'), arguments: {}, vendor: { a: 1 } }
    const { structuredContent, vendor, _meta } = await client.request('tools/call', params, { meta })
    assert.deepEqual(structuredContent, { sum: 3 })
    assert.deepEqual((vendor as { rest: Fields }).rest, { name: 'typed', arguments: {}, vendor: { a: 1 } })
    const { seen, 'io.modelcontextprotocol/serverInfo': _hop, ...back } = _meta as Fields & { readonly seen: Fields }
    assert.deepEqual(back, { 'example.com/back': 1 })
    assert.equal(seen['example.com/forth'], 1)
    assert.equal(seen.traceparent, traceparent)
    assert.equal('dev.trunkline/hop' in seen, false)
    const tool = (await client.tools.list().all()).find(({ name }) => name === shown(cell, 'typed'))
    assert.deepEqual((tool as unknown as Fields).vendor, { kept: true })
  },

  async 'a long text there and back, of 5 MB for each kind of caller and of server'(cell) {
    const isLongest = isLong || areOpposite(cell)
    const text = `${'five megabytes of '.repeat(isLongest ? 290_000 : 29_000)}${cell.server}`
    assert.ok(text.length > (isLongest ? 5_000_000 : 500_000))
    const echoed = textOf(await result(cell, 'echo', { text }))
    assert.equal(echoed.length, text.length)
    assert.ok(echoed === text)
  },
}

/** True in four of the sixteen cells, in which each kind of caller and each kind of server occurs once. */
function areOpposite({ callerSide, serverSide }: Cell): boolean {
  return callerSide.shape !== serverSide.shape && callerSide.over !== serverSide.over
}

function hanging(cell: Cell, who: string, signal: AbortSignal) {
  const began = deferred<void>()
  const ended = cell.caller.client.tools.call(
    shown(cell, 'hang'),
    { who },
    { signal, onProgress: () => began.resolve() },
  )
  ended.catch(() => {})
  return { began: began.promise, ended }
}

async function cancelled(cell: Cell): Promise<readonly string[]> {
  await setImmediate()
  return JSON.parse(await said(cell, 'cancelled'))
}
