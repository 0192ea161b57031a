import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@trunkline/mcp'
import { until } from '../../../../tools/lib/until.ts'
import { commandPath as command } from '../../../cli/test/command-path.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import type { ServerSpec } from '../../src/servers/server-spec.ts'
import { programSpec, type RunningHost, runningHost, textOf } from '../gateway/running-host.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const allow = parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })
const program = join(import.meta.dirname, '../programs/two-streams.mjs')
const lines = (name: string): string => Array.from({ length: 50 }, (_, at) => `${name} ${at}\n`).join('')

interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly stderrMore?: { readonly bytes: number }
}

describe('stderr apart from stdout', () => {
  const folder = temporaryFolder()
  let running: RunningHost
  let mcp: Client

  before(async () => {
    const file = join(folder.path, 'description.yaml')
    const tools = [
      { name: 'get_text', command: ['text'] },
      { name: 'get_bytes', command: ['bytes'] },
    ]
    writeFileSync(file, JSON.stringify({ program: [process.execPath, program], tools }))
    const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
    const launch = { kind: 'program', command: process.execPath, args: [command, 'wrap', file], cwd: '/', env } as const
    const wrapped: ServerSpec = { name: 'wrapped', launch }
    running = await runningHost({ servers: [programSpec('loud', 'both-streams'), wrapped], rules: [allow] })
    mcp = await running.dial()
  })
  after(async () => {
    await mcp?.close()
    await running?.[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  it('stderr of a server is its log, and no part of its answers; neither is noise on stdout', async () => {
    const result = await mcp.tools.call('loud__get_answer', {})
    assert.deepEqual(result.content, [{ type: 'text', text: 'the answer' }])
    const log = running.host.servers.get('loud')?.log
    // the streams are read one after the other
    const texts = () => log?.lines.map(({ text }) => text) ?? []
    const ends = ['without an end', '(stdout) stdout 2']
    await until(() => ends.every((end) => texts().includes(end)))
    assert.deepEqual(
      texts().filter((text) => text.startsWith('stderr')),
      ['stderr 0', 'stderr 1', 'stderr 2'],
    )
    assert.deepEqual(
      texts().filter((text) => text.startsWith('(stdout)')),
      ['(stdout) stdout 0', '(stdout) stdout 1', '(stdout) stdout 2'],
    )
    assert.ok(texts().includes('\ufffd\0\ufffd'))
    assert.ok(!texts().some((text) => text.includes('jsonrpc')))
  })

  it('wrap: both are whole and apart, however they were mixed, and nothing is added at their ends', async () => {
    const result = await mcp.tools.call('wrapped__get_text', {})
    const { stdout, stderr } = result.structuredContent as unknown as Ran
    assert.equal(stdout, `${lines('out')}out without an end`)
    assert.equal(stderr, `${lines('err')}err without an end`)
    const audiences = result.content.map((block) => [
      textOf({ content: [block] }).slice(0, 3),
      block.annotations?.audience,
    ])
    assert.deepEqual(audiences, [
      ['out', undefined],
      ['err', ['user']],
    ])
  })

  it('wrap: bytes on one stream do not touch the other', async () => {
    const result = await mcp.tools.call('wrapped__get_bytes', {})
    const { stdout, stderrMore } = result.structuredContent as unknown as Ran
    assert.equal(stdout, `${lines('out')}out without an end`)
    assert.equal(stderrMore?.bytes, Buffer.byteLength(lines('err')) + 3)
    const bytes = result.content.find(({ type }) => type === 'resource') as { resource?: { blob?: string } } | undefined
    const written = Buffer.from(bytes?.resource?.blob ?? '', 'base64')
    assert.deepEqual([...written.subarray(-3)], [0xff, 0x00, 0xfe])
  })
})
