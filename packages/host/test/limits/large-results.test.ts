import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@trunkline/mcp'
import { queryLedger } from '../../src/ledger/query.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { programSpec, type RunningHost, runningHost, textOf } from '../gateway/running-host.ts'

const source = { layer: 'user', file: 'trunkline.json', line: 1 }
const rules = [
  parseRule('allow', '*:*', source),
  parseRule('ask', { match: 'trunkline:read_result', principal: 'asked' }, source),
  parseRule('deny', { match: 'trunkline:read_result', principal: 'denied' }, source),
]

interface Block {
  readonly type: string
  readonly text?: string
  readonly uri?: string
}

const blocksOf = ({ content }: { readonly content: readonly unknown[] }) => content as readonly Block[]
const linkOf = (result: { readonly content: readonly unknown[] }) =>
  blocksOf(result).find(({ type }) => type === 'resource_link')?.uri ?? ''
const idOf = (link: string) => link.split('/').at(-1) ?? ''
const toolNames = async (mcp: Client) => (await mcp.tools.list().all()).map(({ name }) => name)

describe('results over the limit', () => {
  // each test has a client of its own
  let running: RunningHost
  let maxResultKb = 16
  before(async () => {
    running = await runningHost({
      servers: [programSpec('large', 'large')],
      rules,
      maxResultBytes: () => maxResultKb * 1024,
      ask: { holdMs: 1 },
    })
  })
  after(() => running?.[Symbol.asyncDispose]())

  for (const revision of ['2025-03-26', '2025-11-25', '2026-07-28'] as const) {
    it(`5 MB pass unchanged when the limit is larger, in ${revision}`, async () => {
      maxResultKb = 8 * 1024
      await using mcp = await running.dial('', { name: `wide-${revision}`, revisions: [revision] })
      const result = await mcp.tools.call('large__read_text', { bytes: 5 * 1024 ** 2 })
      assert.deepEqual(
        blocksOf(result).map(({ type, text }) => [type, text?.length]),
        [['text', 5 * 1024 ** 2]],
      )
      assert.ok(!(await toolNames(mcp)).includes('read_result'))
    })
  }

  it('the caller gets head, tail and a link, and reads all of it as a resource', async () => {
    maxResultKb = 16
    await using mcp = await running.dial('', { name: 'reader' })
    const result = await mcp.tools.call('large__read_lines', { lines: 5_000 })
    assert.notEqual(result.isError, true)
    const [note, head, tail] = blocksOf(result)
    assert.match(note?.text ?? '', /The result of "read_lines" has \d+ bytes, more than the 16384/)
    assert.match(head?.text ?? '', /^line 1 of many\n/)
    assert.match(tail?.text ?? '', /\nline 5000 of many$/)
    assert.ok(JSON.stringify(result).length < 16 * 1024)
    const { contents } = await mcp.resources.read(linkOf(result))
    const [all] = contents as readonly { readonly text?: string }[]
    assert.equal(all?.text?.split('\n').length, 5_000)
  })

  it('read_result gives lines and finds text, and says where it goes on', async () => {
    maxResultKb = 16
    await using mcp = await running.dial('', { name: 'searcher' })
    const id = idOf(linkOf(await mcp.tools.call('large__read_lines', { lines: 5_000 })))
    const page = await mcp.tools.call('read_result', { id, from: 4_000, lines: 2 })
    assert.match(textOf(page), /^Lines 4000 to 4001 of 5000 lines.*goes on at line 4002\nline 4000 of many\nline 4001/)
    const found = await mcp.tools.call('read_result', { id, search: 'LINE 777 ' })
    assert.match(textOf(found), /nothing follows\n777: line 777 of many$/)
    const wrong = await mcp.tools.call('read_result', { id, from: 0 })
    assert.equal(wrong.isError, true)
    assert.match(textOf(wrong), /from/)
  })

  it('read_result is offered on every address once there is something to read, with a notification of the list change', async () => {
    maxResultKb = 16
    await using mcp = await running.dial('/server/large', { name: 'watcher' })
    assert.ok(!(await toolNames(mcp)).includes('read_result'))
    const told = new Promise<void>((resolve) => void mcp.watch({ tools: true }, () => resolve()))
    await mcp.tools.call('read_lines', { lines: 5_000 })
    await told
    assert.ok((await toolNames(mcp)).includes('read_result'))
    await using other = await running.dial('/server/large', { name: 'other' })
    assert.ok(!(await toolNames(other)).includes('read_result'))
  })

  it("another principal's result is unknown, as a resource and to read_result", async () => {
    maxResultKb = 16
    await using mcp = await running.dial('', { name: 'owner' })
    await using other = await running.dial('', { name: 'other' })
    const link = linkOf(await mcp.tools.call('large__read_lines', { lines: 5_000 }))
    await assert.rejects(other.resources.read(link), /unknown/)
    const stolen = await other.tools.call('read_result', { id: idOf(link) })
    assert.equal(stolen.isError, true)
    assert.equal(textOf(stolen), `Cannot read result "${idOf(link)}": it is unknown, or was forgotten meanwhile`)
    const missing = await mcp.tools.call('read_result', { id: 'nothing' })
    assert.equal(textOf(missing), 'Cannot read result "nothing": it is unknown, or was forgotten meanwhile')
  })

  it('with an output schema it is an error with head, tail and link, and no structured content', async () => {
    maxResultKb = 16
    await using mcp = await running.dial('', { name: 'tabular' })
    const small = await mcp.tools.call('large__read_table', { bytes: 100 })
    assert.deepEqual(small.structuredContent, { rows: 'r'.repeat(100) })
    const result = await mcp.tools.call('large__read_table', { bytes: 100_000 })
    assert.equal(result.isError, true)
    assert.equal(result.structuredContent, undefined)
    const { contents } = await mcp.resources.read(linkOf(result))
    const structured = (contents as readonly { readonly text?: string; readonly mimeType?: string }[]).at(-1)
    assert.equal(structured?.mimeType, 'application/json')
    assert.deepEqual(JSON.parse(String(structured?.text)), { rows: 'r'.repeat(100_000) })
  })

  it('binary content is kept byte for byte, and named in the text', async () => {
    maxResultKb = 16
    await using mcp = await running.dial('', { name: 'viewer' })
    const result = await mcp.tools.call('large__read_image', { bytes: 50_000 })
    assert.match(
      textOf(result),
      /\[image\/png, 50000 bytes, to be read as the resource trunkline:\/\/result\/[\w-]+\/0]/,
    )
    const { contents } = await mcp.resources.read(`${linkOf(result)}/0`)
    const [image] = contents as readonly { readonly blob?: string; readonly mimeType?: string }[]
    assert.equal(image?.mimeType, 'image/png')
    assert.deepEqual(Buffer.from(image?.blob ?? '', 'base64'), Buffer.alloc(50_000, 7))
  })

  it('a rule can have a person asked before a kept result is read', async () => {
    maxResultKb = 1
    await using mcp = await running.dial('', { name: 'asked' })
    const id = idOf(linkOf(await mcp.tools.call('large__read_text', { bytes: 5_000 })))
    assert.match(textOf(await mcp.tools.call('read_result', { id })), /waits for a person's approval/)
    const question = running.host.inbox.open.find(({ principal }) => principal === 'asked')
    await running.host.inbox.answer(question?.id ?? '', { choice: 'once', by: 'terminal' }, { isLocal: true })
    assert.match(textOf(await mcp.tools.call('read_result', { id })), /Lines 1 to 3 of 3/)
  })

  it('reading a kept result is recorded, and a rule can deny it', async () => {
    maxResultKb = 1
    await using mcp = await running.dial('', { name: 'denied' })
    const link = linkOf(await mcp.tools.call('large__read_text', { bytes: 5_000 }))
    assert.match(textOf(await mcp.tools.call('read_result', { id: idOf(link) })), /The policy denies/)
    await mcp.resources.read(link)
    const lines = queryLedger(running.host.store, { server: 'trunkline', principal: 'denied' })
    assert.deepEqual(
      lines.map(({ line }) => [line.target, line.outcome]),
      [
        [link, 'ok'],
        ['read_result', 'denied'],
      ],
    )
  })
})
