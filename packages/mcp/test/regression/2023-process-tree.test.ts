import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spawnChannel } from '@trunkline/mcp/stdio'
import '../no-leaks.ts'
import { until } from '../../../../tools/lib/until.ts'
import { noProc, processes, program } from '../processes.ts'
import { Recorder } from '../recorder.ts'

test('closing ends the server, the shell around it and all that it started', { skip: noProc }, async () => {
  const { command, args = [] } = program(() => {
    const { spawn } = process.getBuiltinModule('node:child_process')
    spawn('sleep', ['1000'], { stdio: 'ignore' })
    process.stdin.resume()
    process.stdin.on('end', () => process.exit())
  })
  const wrapped = { command: 'sh', args: ['-c', '"$@"; true', 'sh', command, ...args] }
  const channel = spawnChannel(wrapped)
  channel.open(new Recorder())
  const group = channel.pid as number
  const alive = (): number => processes().filter((entry) => entry.group === group).length
  await until(() => alive() === 3, 'the shell, the server and its child to run')
  await channel.close()
  assert.equal(alive(), 0)
})
