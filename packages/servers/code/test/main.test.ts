import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isRunning } from '@trunkline/base/is-running'
import { showWords } from '@trunkline/base/show-words'
import { type Client, connect } from '@trunkline/mcp'
import { startCosts } from '@trunkline/server-kit/start-cost'
import { until } from '../../../../tools/lib/until.ts'
import { callTool, sandbox, scripted } from './sandbox.ts'

const main = join(import.meta.dirname, '../src/main.ts')

test('trunkline-code: serves a project over stdio; when it ends, language servers and what they started end', async () => {
  using box = sandbox({ 'a.scripted': 'one\n' })
  const command = showWords(scripted('child', box.diary).command ?? [])
  const args = [main, box.root, '--language', `scripted:.scripted=${command}`, '--accept', command]
  {
    await using client = (await connect({ command: process.execPath, args })) as Client
    const { text } = await callTool(client, 'get_hover', { path: 'a.scripted', line: 1, name: 'one' })
    assert.equal(text, 'hover of a.scripted')
    await until(() => existsSync(box.diary) && readFileSync(box.diary, 'utf8').includes('child'))
  }
  const pids = Array.from(readFileSync(box.diary, 'utf8').matchAll(/\d+/g), ([pid]) => Number(pid))
  assert.equal(pids.length, 2)
  await until(() => !pids.some((pid) => isRunning(pid)))
})

test('trunkline-code: a directory that is not there, and a flag without its value, are said', () => {
  const run = (...args: string[]) => spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' })
  const missing = run('/no/such/place')
  assert.deepEqual([missing.status, missing.stderr], [2, 'Cannot serve "/no/such/place": it is not a directory\n'])
  assert.match(run('--accept').stderr, /^Cannot start: "--accept" takes a value\n/)
})

test('trunkline-code: starts within three times the processor time of bare node with the library', () => {
  const { library, server } = startCosts(main, [import.meta.dirname])
  assert.ok(server < 3 * library, `${server} µs against ${library}`)
})
