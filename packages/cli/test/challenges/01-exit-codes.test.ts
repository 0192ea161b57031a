import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { programSpec, runningHost } from '../../../host/test/gateway/running-host.ts'
import { commandPath as launcher } from '../command-path.ts'
import { type CliRun, runCli } from '../run-cli.ts'
import { newFolder, type ProgramResult } from '../wrap/wrapped.ts'

/** Exits of programs, each with the code that a shell gives it. */
const codes = [0, 1, 2, 3, 64, 125, 126, 127, 128, 130, 137, 255]
const signals = ['SIGHUP', 'SIGINT', 'SIGKILL', 'SIGTERM', 'SIGSEGV', 'SIGABRT'] as const

/** A program that ends as it is told to. */
const program = `const how = process.argv[2]
if (/^\\d+$/.test(how)) process.exit(Number(how))
process.kill(process.pid, how)
setInterval(() => {}, 1000)
`

test('exit codes: whatever ends a program arrives as it was, through wrap and the host', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'ends.mjs'), program)
  const tool = { name: 'end', arguments: [{ name: 'how' }] }
  const file = join(folder, 'ends.json')
  writeFileSync(file, JSON.stringify({ program: [process.execPath, join(folder, 'ends.mjs')], tools: [tool] }))
  const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
  const launch = { kind: 'program', command: process.execPath, args: [launcher, 'wrap', file], cwd: '/', env } as const
  await using running = await runningHost({ servers: [{ name: 'ends', launch }], mode: 'observe' })
  await using mcp = await running.dial()
  const ended = async (how: string) => {
    const { structuredContent, _meta, isError } = await mcp.tools.call('ends__end', { how })
    const { exitCode, signal } = structuredContent as unknown as ProgramResult
    return { exitCode, signal, isError: isError === true, status: Object(_meta?.['dev.trunkline/contract']).status }
  }
  for (const code of codes) {
    const isError = code !== 0
    const status = { code, class: isError ? 'failed' : 'ok' }
    assert.deepEqual(await ended(String(code)), { exitCode: code, signal: null, isError, status })
  }
  for (const signal of signals) {
    const status = { code: 128 + constants.signals[signal], class: 'failed' }
    assert.deepEqual(await ended(signal), { exitCode: null, signal, isError: true, status })
  }

  // and every outcome of a call is an exit code of the command
  const ends = ['--', process.execPath, launcher, 'wrap', file]
  const outcomes: readonly [words: readonly string[], exit: number][] = [
    [['call', 'end', 'how=0', ...ends], 0],
    [['call', 'end', 'how=7', ...ends], 2],
    [['call', 'end', 'wrong=7', ...ends], 1],
    [['read', 'wrap://output/nothing', ...ends], 3],
    [['call', 'end', 'how=0', '--', process.execPath, '-e', 'process.exit(9)'], 4],
    [['call', 'end', 'how=0', '--timeout=0.5', '--', process.execPath, '-e', 'setInterval(() => {}, 1000)'], 124],
  ]
  const exits: CliRun[] = []
  for (const [words] of outcomes) exits.push(await runCli(words))
  assert.deepEqual(
    exits.map(({ exit }, at) => [outcomes[at]?.[0].slice(0, 3), exit]),
    outcomes.map(([words, exit]) => [words.slice(0, 3), exit]),
    exits.map(({ stderr }) => stderr).join(''),
  )
})

test('call: what a person or a rule did not let pass ends with 5, whether it waits or was refused', async () => {
  await using running = await runningHost({
    servers: [programSpec('one')],
    open: true,
    ask: { holdMs: 50 },
  })
  const url = `${running.host.url}/server/one`
  // a revision without tasks: with one, a call waits for as long as the person takes
  const old = ['--revision', '2025-03-26']
  const waiting = await runCli(['call', url, 'write', 'text=x', ...old])
  assert.equal(waiting.exit, 5, waiting.stderr)
  assert.match(waiting.stderr, /"write" was not run: waiting/)
  const [question = assert.fail()] = running.host.inbox.open
  await running.host.inbox.answer(question.id, { choice: 'refuse', by: 'terminal' }, { isLocal: true })
  const refused = await runCli(['call', url, 'write', 'text=x', ...old])
  assert.equal(refused.exit, 5, refused.stderr)
  assert.match(refused.stderr, /"write" was not run: refused/)
})
