import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { existsSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { lacking } from '../../../tools/lib/needs.ts'
import { commandPath as launcher } from './command-path.ts'
import { fixture, runCli } from './run-cli.ts'
import { witness } from './witness.ts'

test('a signal stops a call in good order: cancelled at the server, exit 130, nothing left running', async () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    using at = witness()
    const stop = (pid: number): void => void at.whenSeen(/slow began/).then(() => process.kill(pid, signal))
    const { exit, stderr } = await runCli(['call', ...at.env, 'slow', ...fixture('shop')], { onStart: stop })
    assert.equal(exit, 130)
    assert.match(stderr, /^trunkline: Interrupted$/m)
    assert.match(at.seen(), /slow stopped/)
  }
})

test('who reads the output may stop reading', async () => {
  const [, ...program] = fixture('broken', 'many tools').slice(1)
  const command = [process.execPath, launcher, 'tools', '--', ...program].map((word) => `'${word}'`).join(' ')
  const { stdout, stderr } = await promisify(execFile)('bash', ['-o', 'pipefail', '-c', `${command} | head -n 2`])
  assert.match(stdout, /^TOOL .*\ntool-0 .*\n$/)
  assert.equal(stderr, '')
})

test('who reads late misses nothing', async () => {
  const child = spawn(process.execPath, [launcher, 'tools', '--json', ...fixture('broken', 'many tools')])
  const ended = new Promise((resolve) => child.on('close', resolve))
  // more than the pipe holds waits in it by now, and the command has nothing left to do
  await Promise.race([new Promise((resolve) => child.on('exit', resolve)), delay(2_000)])
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  assert.equal(await ended, 0)
  assert.equal(JSON.parse(stdout).tools.length, 10_000)
})

test('a full disk is said, and is no success', { skip: lacking('linux', existsSync('/dev/full')) }, async () => {
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [launcher, 'tools', ...fixture('shop')], { stdio: ['ignore', full, 'pipe'] })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const exit = await new Promise((resolve) => child.on('close', resolve))
  assert.equal(exit, 1)
  assert.match(stderr, /the disk is full/)
})

test('a full disk is said by whatever writes a file, and is no success', {
  skip: lacking('linux', existsSync('/dev/full')),
}, async () => {
  using at = witness()
  const calls = join(at.folder, 'calls.json')
  writeFileSync(calls, '{"tests": [{"read": "shop:hours"}]}')
  const lines = [
    ['record', '/dev/full', 'call', 'add', 'a=1', 'b=2'],
    ['types', '-o', '/dev/full'],
    ['read', '-o', '/dev/full', 'shop:hours'],
    ['test', calls, '--junit', '/dev/full'],
  ]
  for (const args of lines) {
    const { exit, stdout, stderr } = await runCli([...args, ...fixture('shop')])
    assert.equal(exit, 1, `${args}: ${stdout}${stderr}`)
    assert.match(stderr, /^trunkline: Cannot write.*the disk is full; free some space\n$/, args.join(' '))
  }
})

test('--quiet: results and errors, nothing else', async () => {
  const { exit, stdout, stderr } = await runCli(['tools', '--quiet', ...fixture('broken', 'one bad tool')])
  assert.equal(exit, 0)
  assert.match(stdout, /^more /m)
  assert.equal(stderr, '')
})

test('--json: warnings of what went well are lines of JSON, those of a failure stand in its one line', async () => {
  const well = await runCli(['tools', '--json', ...fixture('broken', 'one bad tool')])
  assert.match(JSON.parse(well.stderr).warning.message, /tools\[1\]/)
  const failed = await runCli(['tools', '--json', 'nope', ...fixture('broken', 'one bad tool')])
  assert.equal(failed.exit, 1)
  assert.match(JSON.parse(failed.stderr).error.warnings[0], /tools\[1\]/)
})
