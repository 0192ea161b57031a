import assert from 'node:assert/strict'
import { test } from 'node:test'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { until } from '../../../../tools/lib/until.ts'
import type { ServerSpec } from './server-spec.ts'
import { ServerTable, type ServerTableOptions } from './server-table.ts'
import type { Upstream } from './upstream.ts'

const spec = (name: string): ServerSpec => ({
  name,
  launch: { kind: 'program', command: process.execPath, args: ['--version'], cwd: '/', env: {} },
})

function tableOf(options: Partial<ServerTableOptions> = {}) {
  const gone: string[] = []
  const onGone = (server: string) => gone.push(server)
  const table = new ServerTable({ connecting: { options: () => ({}) }, onGone, ...options })
  return { table, gone, [Symbol.asyncDispose]: () => table.close() }
}

const program = programFile(new URL('../../test/programs/upstream.ts', import.meta.url))
const launched = (more: Partial<ServerSpec> = {}, env = {}): ServerSpec => ({
  name: 'one',
  launch: { kind: 'program', command: process.execPath, args: [program], cwd: '/', env },
  ...more,
})

const call = (upstream: Upstream | undefined, tool: string, args = {}) =>
  upstream?.run(async (client) => {
    const [block] = (await client.tools.call(tool, args)).content
    return block?.type === 'text' ? block.text : ''
  })

/** A server that has begun with a call that takes so long. */
async function busy(table: ServerTable, ms: number) {
  const upstream = table.get('one')
  const pid = Number(await call(upstream, 'pid'))
  return { pid, ended: call(upstream, 'wait', { ms })?.catch((error: Error) => error.message) }
}

test('ServerTable: a server that is no longer configured is gone, and so are the copies of it', async () => {
  const { table, gone } = tableOf()
  await table.apply([spec('one'), spec('other')])
  const copy = table.copy('one', 'editor')
  await table.apply([spec('other')])
  assert.deepEqual(gone, ['one', copy.name])
  assert.deepEqual([table.names, table.copies], [['other'], 0])
  await table.close()
})

test('ServerTable: of the copies for single callers 64 are kept; the least recently used makes room', async () => {
  const { table, gone } = tableOf()
  await table.apply([spec('one')])
  const copies = Array.from({ length: 64 }, (_, at) => table.copy('one', `caller${at}`).name)
  table.copy('one', 'caller0')
  assert.deepEqual([table.copies, gone], [64, []])
  table.copy('one', 'another')
  assert.deepEqual([table.copies, gone], [64, [copies[1]]])
  await table.close()
})

test('ServerTable: a server that is configured otherwise is there at once, and calls under way at the old one finish', async () => {
  await using own = tableOf()
  const { table } = own
  await table.apply([launched()])
  const before = await busy(table, 300)
  await table.apply([launched({}, { OTHER: 'x' })])
  assert.equal(table.retiring, 1)
  assert.notEqual(Number(await call(table.get('one'), 'pid')), before.pid)
  assert.equal(await before.ended, 'done')
  await until(() => table.retiring === 0)
  assert.throws(() => process.kill(before.pid, 0), { code: 'ESRCH' })
})

const program1 = { kind: 'program', command: 'a', args: ['b'], cwd: '/', env: { A: '1', B: '2' } } as const
const remote1 = { kind: 'remote', url: 'https://a.example/mcp', headers: { A: '1', B: '2' } } as const
const changes: { readonly [what: string]: readonly [ServerSpec['launch'], ServerSpec['launch']] } = {
  'its command': [program1, { ...program1, command: 'c' }],
  'its arguments': [program1, { ...program1, args: ['b', 'c'] }],
  'its folder': [program1, { ...program1, cwd: '/tmp' }],
  'its environment': [program1, { ...program1, env: { A: '1', B: '3' } }],
  'its address': [remote1, { ...remote1, url: 'https://a.example/other' }],
  'a header': [remote1, { ...remote1, headers: { A: '1', B: '3' } }],
}

for (const [what, [before, after]] of Object.entries(changes)) {
  test(`ServerTable: a server is started anew when ${what} changes, and not when it is written in another order`, async () => {
    await using own = tableOf()
    const apply = async (launch: ServerSpec['launch']) => {
      await own.table.apply([{ name: 'one', launch }, spec('other')])
      return own.gone.splice(0)
    }
    await apply(before)
    const turned = Object.fromEntries(Object.entries(before).reverse()) as unknown as ServerSpec['launch']
    assert.deepEqual(await apply(turned), [])
    const pairs = (table: object) => Object.fromEntries(Object.entries(table).reverse())
    const inside = before.kind === 'remote' ? { headers: pairs(before.headers) } : { env: pairs(Object(before).env) }
    assert.deepEqual(await apply({ ...before, ...inside } as ServerSpec['launch']), [])
    assert.deepEqual(await apply(after), ['one'])
  })
}

test('ServerTable: servers that wait for a place to start are limited, and one more says so', async () => {
  await using own = tableOf({ maxStarts: 1, maxWaitingStarts: 1 })
  const { table } = own
  await table.apply(['one', 'two', 'three'].map((name) => ({ ...launched(), name })))
  const starting = ['one', 'two'].map((name) => table.get(name)?.client())
  await assert.rejects(Promise.resolve(table.get('three')?.client()), {
    problem: 'too busy',
    message: /server "three".*1 are under way and 1 wait already/,
  })
  await Promise.all(starting)
  assert.ok(await table.get('three')?.client())
})

for (const [what, options] of Object.entries({ time: { retireMs: 50 }, number: { maxRetiring: 0 } })) {
  test(`ServerTable: calls under way at a server that is gone are limited in ${what}`, async () => {
    await using own = tableOf(options)
    await own.table.apply([launched()])
    const before = await busy(own.table, 60_000)
    await own.table.apply([])
    assert.match((await before.ended) ?? '', /closed|stopped/i)
    await until(() => own.table.retiring === 0)
  })
}

test('ServerTable: limits, times and the place in the file change without a restart', async () => {
  await using own = tableOf()
  const { table, gone } = own
  await table.apply([launched({ source: 'trunkline.json:3' })])
  const pid = await call(table.get('one'), 'pid')
  await table.apply([launched({ source: 'trunkline.json:7', maxCalls: 1, callMs: 7, repeatable: ['echo'] })])
  assert.deepEqual(gone, [])
  const { spec, status } = table.get('one') ?? assert.fail()
  assert.deepEqual([spec.source, spec.callMs, status.starts], ['trunkline.json:7', 7, 1])
  assert.equal(await call(table.get('one'), 'pid'), pid)
  const waiting = call(table.get('one'), 'wait', { ms: 200 })
  const next = call(table.get('one'), 'echo', { text: 'next' })
  assert.equal(table.get('one')?.status.calls, 1, 'the new limit counts')
  assert.deepEqual(await Promise.all([waiting, next]), ['done', 'next'])
  await table.apply([launched({ source: 'trunkline.json:7', idleMs: 1 })])
  await until(() => table.get('one')?.status.state === 'waiting')
})
