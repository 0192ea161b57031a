import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Fields } from '@trunkline/mcp'
import { lacking } from '../../../../tools/lib/needs.ts'
import { runningHost } from '../../../host/test/gateway/running-host.ts'
import { temporaryFolder } from '../../../host/test/temporary-folder.ts'
import { commandPath as launcher } from '../command-path.ts'
import { hasProgram } from '../has-program.ts'
import { fieldOf, person, visit } from '../wrap/person.ts'
import { type ProgramResult, wrapped } from '../wrap/wrapped.ts'

const asks = { program: [join(import.meta.dirname, '../fixtures/asks.sh')], tty: true, timeoutSeconds: 20 }
const ask = { name: 'ask', arguments: [{ name: 'word', multiple: true }] }
const limit = { timeout: 120_000, skip: lacking('linux', process.platform === 'linux' && hasProgram('script', 'stty')) }
const answers: { readonly [field: string]: unknown } = { answer: 'Ada; rm -rf /', yes: true }

function checkOutcome(structuredContent: unknown, seen: readonly string[]): void {
  const { stdout, exitCode } = structuredContent as ProgramResult
  assert.match(stdout, /Ada; rm -rf \/ has 7 characters, y, 2 words/)
  assert.equal(exitCode, 0)
  assert.ok(!JSON.stringify(structuredContent).includes('hunter2'))
  assert.equal(seen.length, 3)
  assert.match(seen[0] ?? '', /Your name:/)
  assert.match(seen[1] ?? '', /Password:/)
  assert.match(seen[2] ?? '', /Delete Ada.*\[y\/N\]/)
}

for (const revisions of [['2026-07-28'], ['2025-11-25']]) {
  test(`wrap --tty: a client of ${revisions} is asked for a line, a password and y/n`, limit, async () => {
    const seen: string[] = []
    await using at = await wrapped({ ...asks, tools: [ask] }, { client: { ...person(seen, answers), revisions } })
    const { structuredContent, isError } = await at.client.tools.call('ask', { word: ['$HOME', '"; echo evil'] })
    assert.equal(isError ?? false, false)
    checkOutcome(structuredContent, seen)
  })
}

test('wrap --tty: a client that cannot be asked is told what the program asks', limit, async () => {
  for (const revisions of [['2024-11-05'], ['2026-07-28']]) {
    await using at = await wrapped({ ...asks, tools: [ask] }, { client: { revisions } })
    const { isError, content } = await at.client.tools.call('ask', {})
    assert.equal(isError, true)
    assert.match(JSON.stringify(content), /asks .*Your name:.*: this client cannot be asked/)
  }
})

test('wrap --tty: for a client of 2024-11-05 behind the host, the person at this machine is asked', limit, async () => {
  using folder = temporaryFolder()
  const file = join(folder.path, 'asks.json')
  writeFileSync(file, JSON.stringify({ ...asks, tools: [ask] }))
  const env = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
  const launch = { kind: 'program', command: process.execPath, args: [launcher, 'wrap', file], cwd: '/', env } as const
  await using running = await runningHost({ servers: [{ name: 'asks', launch }], mode: 'observe' })
  const { inbox } = running.host
  const seen: string[] = []
  const answered = async (id: string, kind: string, detail: Fields): Promise<void> => {
    if (kind === 'page') await visit(String(detail.url))
    const content = kind === 'form' ? { [fieldOf(detail)]: answers[fieldOf(detail)] } : undefined
    await inbox.answer(id, { choice: 'once', by: 'terminal', ...(content && { content }) }, { isLocal: true })
  }
  inbox.addDoor({
    name: 'test',
    isLocal: true,
    present: ({ id, kind, why, detail }) => {
      seen.push(why)
      queueMicrotask(() => void answered(id, kind, detail))
    },
    withdraw() {},
  })
  await using client = await running.dial('', { revisions: ['2024-11-05'] })
  const { structuredContent, isError, content } = await client.tools.call('asks__ask', {
    word: ['$HOME', '"; echo evil'],
  })
  assert.equal(isError ?? false, false, JSON.stringify(content))
  const text = content[0]
  // its revision has no structured content
  checkOutcome(structuredContent ?? { stdout: text?.type === 'text' ? text.text : '', exitCode: 0 }, seen)
  assert.ok(seen.every((why) => why.startsWith('[server asks] ')))
})
