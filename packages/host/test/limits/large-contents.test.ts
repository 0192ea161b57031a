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

/** Bytes of one part. */
const partBytes = 524_288

async function partAt(mcp: Client, uri: string, at: number): Promise<Buffer> {
  const { contents } = await mcp.resources.read(`${uri}?bytes=${at}-${at + partBytes - 1}`)
  const [piece] = contents as readonly { readonly blob?: string }[]
  return Buffer.from(piece?.blob ?? '', 'base64')
}

/** All of a kept result, read in parts. */
async function inParts(mcp: Client, uri: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (let at = 0; ; at += partBytes) {
    const bytes = await partAt(mcp, uri, at)
    if (bytes.length === 0) return Buffer.concat(pieces)
    pieces.push(bytes)
  }
}

/** The first and the last part of a kept result of this size, after which there is nothing. */
async function endsOf(mcp: Client, uri: string, bytes: number): Promise<readonly Buffer[]> {
  assert.equal((await partAt(mcp, uri, bytes)).length, 0)
  return [await partAt(mcp, uri, 0), await partAt(mcp, uri, bytes - partBytes)]
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
      const { id, uri } = await keptOf(mcp.resources.read('lines:450000'))
      const text = (await inParts(mcp, uri)).toString()
      assert.equal(text, Array.from({ length: 450_000 }, (_, at) => `line ${at + 1} of many`).join('\n'))
      const page = textOf(await mcp.tools.call('read_result', { id, from: 400_000, lines: 1 }))
      assert.match(
        page,
        /^Lines 400000 to 400000 of 450000 lines of result .*resource "lines:450000" of server "large"/,
      )
      assert.match(page, /\nline 400000 of many$/)
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
    const lines = Buffer.from('a line\n'.repeat(2 * mebibyte))
    assert.deepEqual(await endsOf(mcp, uri, lines.length), [lines.subarray(0, partBytes), lines.subarray(-partBytes)])
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
    const part = Buffer.alloc(partBytes, 'x')
    assert.deepEqual(await endsOf(mcp, uri, 40 * mebibyte), [part, part])
  })
})
