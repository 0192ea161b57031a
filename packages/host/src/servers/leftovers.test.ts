import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { processMark } from '@trunkline/mcp/stdio'
import { macSystem } from '../../../../tools/lib/macos.ts'
import { lacking } from '../../../../tools/lib/needs.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { endLeftovers } from './leftovers.ts'

const skip = lacking('linux', process.platform === 'linux')

/** A process with the mark of some host, which ends when it is asked to, or not at all. */
async function marked(mark: string, { isStubborn = false } = {}) {
  const ignores = isStubborn ? "process.on('SIGTERM', () => {});" : ''
  const script = `${ignores} setInterval(() => {}, 1_000); console.log('ready')`
  const [name = '', value = ''] = mark.split('=')
  const child = spawn(process.execPath, ['-e', script], { env: { PATH: process.env.PATH, [name]: value } })
  await once(child.stdout, 'data')
  return { child, pid: child.pid, ended: once(child, 'exit') }
}

test('endLeftovers: ends processes of an earlier host, even stubborn ones, and keeps the mark of this one', {
  skip,
}, async (t) => {
  using folder = temporaryFolder()
  const file = join(folder.path, 'process-mark')
  const earlier = `${processMark.slice(0, processMark.indexOf('=') + 1)}${randomUUID()}-`
  writeFileSync(file, earlier)
  const [gentle, stubborn] = [await marked(`${earlier}1`), await marked(`${earlier}2`, { isStubborn: true })]
  const own = await marked(`${processMark}1`)
  t.after(() => {
    for (const { child } of [gentle, stubborn, own]) child.kill('SIGKILL')
  })
  const left = await endLeftovers(folder.path)
  assert.deepEqual(left.map(({ pid }) => pid).sort(), [gentle.pid, stubborn.pid].sort())
  for (const { command } of left) assert.match(command, /setInterval/)
  assert.deepEqual((await gentle.ended)[1], 'SIGTERM')
  assert.deepEqual((await stubborn.ended)[1], 'SIGKILL')
  assert.equal(own.child.exitCode, null)
  assert.equal(readFileSync(file, 'utf8'), processMark)
  assert.deepEqual(await endLeftovers(folder.path), [])
  assert.equal(own.child.exitCode, null)
  own.child.kill()
  await own.ended
})

test('endLeftovers: on macOS by the environments that ps shows, and never a process above this one', async (t) => {
  using folder = temporaryFolder()
  const file = join(folder.path, 'process-mark')
  const earlier = `${processMark.slice(0, processMark.indexOf('=') + 1)}${randomUUID()}-`
  writeFileSync(file, earlier)
  const left = await marked(`${earlier}1`)
  t.after(() => left.child.kill('SIGKILL'))
  using system = macSystem(
    [
      { pid: left.pid ?? 0, parent: 1, program: 'node', args: 'left.js', environment: `${earlier}1 HOME=/` },
      { pid: process.pid, parent: process.ppid, program: 'node', environment: `${earlier}2` },
      { pid: process.ppid, parent: 1, program: 'node', environment: `HOME=/ ${earlier}2` },
    ],
    { onlyRunning: true },
  )
  assert.deepEqual(await endLeftovers(folder.path, system), [{ pid: left.pid, command: 'node left.js' }])
  assert.deepEqual((await left.ended)[1], 'SIGTERM')
  assert.equal(readFileSync(file, 'utf8'), processMark)
})
