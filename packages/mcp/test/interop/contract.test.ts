import '../no-leaks.ts'
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type Connection, connect, type ServerTypes } from '@trunkline/mcp'
import { type ContractExtension, contract } from '@trunkline/mcp/contract'
import type { Driver } from './driver.ts'
import { clients } from './transports/stdio/clients.ts'
import { program } from './transports/stdio/program.ts'

const peers = [
  { client: 'v1 client', server: 'v1', revision: '2025-11-25' },
  { client: 'v2 client', server: 'v2', revision: '2025-11-25' },
  { client: 'v2 client', server: 'v2', revision: '2026-07-28' },
] as const

const textOf = ({ content }: { readonly content: readonly unknown[] }) =>
  content.map((block) => (block as { text?: string }).text ?? '').join('')

for (const { client, revision } of peers) {
  suite(`${client} and a server that keeps the contract, ${revision}`, () => {
    let driver: Driver
    before(async () => {
      const start = clients.find(({ name }) => name === client)?.start
      assert.ok(start)
      driver = await start(program('contract'), revision)
    })
    after(() => driver?.[Symbol.asyncDispose]())

    test('tools with terms are listed and called as any other', async () => {
      assert.equal((await driver.tools()).length, 7)
      const { structuredContent, isError } = await driver.call('publish', { name: 'lib' })
      assert.deepEqual([structuredContent, isError ?? false], [{ done: true }, false])
      assert.equal(textOf(await driver.call('want')), 'normal undefined')
    })

    test('a call that fails, is undone or is late is an error like any other', async () => {
      const undone = await driver.call('undo')
      assert.deepEqual([undone.isError, textOf(undone)], [true, 'The disk is full'])
      const late = await driver.call('late')
      assert.equal(late.isError, true)
      assert.match(textOf(late), /took longer than 20 ms/)
    })

    test('a large result is read through its resource', async () => {
      for (const tool of ['long', 'stream']) {
        const result = await driver.call(tool)
        assert.equal(result.isError ?? false, false)
        const [uri] = /contract:\/\/\/results\/[\w-]+/.exec(textOf(result)) ?? []
        const [contents] = (await driver.read(`${uri}?lines=1-1`)) as readonly { text: string }[]
        assert.match(contents?.text ?? '', tool === 'long' ? /^x{10000}$/ : /^line\n$/)
      }
      assert.equal((await driver.call('table')).isError, true)
    })

    test('the settings are a resource', async () => {
      assert.deepEqual(await driver.resources(), ['contract:///settings'])
      const [contents] = (await driver.read('contract:///settings')) as readonly { text: string }[]
      assert.deepEqual(JSON.parse(contents?.text ?? '').settings, [{ name: 'region', from: 'default', value: 'eu' }])
      assert.equal((await driver.templates()).length, 1)
    })
  })
}

for (const { server, revision } of peers) {
  suite(`a client that keeps the contract and ${server}-server, ${revision}`, () => {
    let mcp: Connection<ServerTypes, readonly [ContractExtension]>
    before(async () => {
      mcp = await connect(program(server), { extensions: [contract()] as const, revisions: [revision] })
    })
    after(() => mcp?.close())

    test('a call with every option that a server may ignore is answered', async () => {
      const expects = (await mcp.tools.list().all()).find(({ name }) => name === 'add')
      assert.ok(expects)
      const want = { detail: 'brief', fields: ['/sum'], maxBytes: 10_000 } as const
      const options = {
        want,
        deadlineMs: 60_000,
        idempotencyKey: true,
        expects,
        cwd: '/',
        handle: 'h',
        attempts: 3,
      } as const
      const result = await mcp.tools.call('add', { a: 1, b: 2 }, options)
      assert.deepEqual(result.structuredContent, { sum: 3 })
      assert.deepEqual(
        [result.status, result.isRepeated, mcp.tools.spilled(result), mcp.requires],
        Array(4).fill(undefined),
      )
    })

    test('a term that the server does not support is not sent', async () => {
      const refused = { code: 'Unsupported', outcome: 'NotSent' }
      await assert.rejects(mcp.tools.preview('add', { a: 1, b: 2 }), refused)
      await assert.rejects(mcp.tools.call('add', { a: 1, b: 2 }, { plan: 'p' }), refused)
      await assert.rejects(mcp.tools.signal('h', 'reload'), refused)
      await assert.rejects(mcp.settings(), { outcome: 'Rejected' })
    })

    test('a deadline ends the call on this side, and the server is told', async () => {
      const call = mcp.tools.call('hang', {}, { deadlineMs: 200, idempotencyKey: true })
      await assert.rejects(call, { code: 'Timeout', outcome: 'Unknown' })
      assert.match(textOf(await mcp.tools.call('aborted', {})), /aborted/)
    })
  })
}
