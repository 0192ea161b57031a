import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Client, RpcError } from '@trunkline/mcp'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { programSpec, type RunningHost, runningHost, textOf } from '../gateway/running-host.ts'

const allow = parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })
const mebibyte = 1024 ** 2

interface Kept {
  readonly id: string
  readonly uri: string
  readonly bytes: number
}

/** Place of the contents that an answer left out. */
async function keptOf(asked: Promise<unknown>): Promise<Kept> {
  const error = await asked.then(
    () => assert.fail('It was passed on'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof RpcError, String(error))
  const kept = (error.data as { readonly 'dev.trunkline/large-result': Kept })['dev.trunkline/large-result']
  assert.ok(error.message.includes(`read_result and this id`) && error.message.includes(kept.uri), error.message)
  assert.ok(kept.bytes > 8 * mebibyte)
  return kept
}

/** All of a kept result, read in parts. */
async function inParts(mcp: Client, uri: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (let at = 0; ; at += 524_288) {
    const { contents } = await mcp.resources.read(`${uri}?bytes=${at}-${at + 524_287}`)
    const [piece] = contents as readonly { readonly blob?: string }[]
    const bytes = Buffer.from(piece?.blob ?? '', 'base64')
    if (bytes.length === 0) return Buffer.concat(pieces)
    pieces.push(bytes)
  }
}

describe('contents over the limit', () => {
  let running: RunningHost
  before(async () => {
    // contents pass up to 8 MiB, however small the results of tools have to be
    running = await runningHost({
      servers: [programSpec('large', 'large'), programSpec('library', 'library')],
      rules: [allow],
      maxResultBytes: () => 16 * 1024,
    })
  })
  after(() => running?.[Symbol.asyncDispose]())

  for (const revision of ['2025-11-25', '2026-07-28'] as const) {
    it(`of a resource are kept, read in parts and by read_result, in ${revision}`, async () => {
      await using mcp = await running.dial('', { revisions: [revision] })
      const { contents } = await mcp.resources.read('bytes:5242880')
      assert.equal(
        Buffer.from((contents as readonly { blob?: string }[])[0]?.blob ?? '', 'base64').length,
        5 * mebibyte,
      )
      const { id, uri } = await keptOf(mcp.resources.read('lines:600000'))
      const text = (await inParts(mcp, uri)).toString()
      assert.equal(text, Array.from({ length: 600_000 }, (_, at) => `line ${at + 1} of many`).join('\n'))
      const page = textOf(await mcp.tools.call('read_result', { id, from: 500_000, lines: 1 }))
      assert.match(
        page,
        /^Lines 500000 to 500000 of 600000 lines of result .*resource "lines:600000" of server "large"/,
      )
      assert.match(page, /\nline 500000 of many$/)
      await using other = await running.dial('', { revisions: [revision], name: 'other' })
      await assert.rejects(other.resources.read(`${uri}?bytes=0-9`), /unknown, or was forgotten/)
    })
  }

  it('of a binary resource are its bytes', async () => {
    await using mcp = await running.dial('/server/large')
    const { uri } = await keptOf(mcp.resources.read('bytes:7000000'))
    assert.deepEqual(await inParts(mcp, uri), Buffer.alloc(7_000_000, 7))
    await keptOf(mcp.resources.read(`${uri}/0`))
  })

  it('of an address that no server listed are kept, and no other server is asked', async () => {
    await using mcp = await running.dial('')
    const { uri } = await keptOf(mcp.resources.read('unlisted:lines'))
    assert.equal((await inParts(mcp, uri)).length, 14 * mebibyte)
  })

  it('of a prompt are kept with their roles', async () => {
    await using mcp = await running.dial('')
    const { id, uri } = await keptOf(mcp.prompts.get('large__tell', { bytes: String(9 * mebibyte) }))
    const { messages } = JSON.parse((await inParts(mcp, uri)).toString())
    assert.deepEqual([messages[0].role, messages[0].content.text.length], ['user', 9 * mebibyte])
    assert.match(
      textOf(await mcp.tools.call('read_result', { id, lines: 1 })),
      /prompt "tell" of server "large"\).*\nx+$/,
    )
  })

  it('a result of 40 MiB arrives and is kept; all of it at once is refused with how to read it', async () => {
    await using mcp = await running.dial('')
    const result = await mcp.tools.call('large__read_text', { bytes: 40 * mebibyte })
    const link = result.content.find(({ type }) => type === 'resource_link') as { readonly uri: string } | undefined
    const { uri } = await keptOf(mcp.resources.read(link?.uri ?? assert.fail(textOf(result).slice(0, 500))))
    assert.equal((await inParts(mcp, uri)).length, 40 * mebibyte)
  })
})
