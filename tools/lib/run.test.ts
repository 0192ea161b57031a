import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run } from './run.ts'

const node = (program: string, options = {}) => run(process.execPath, ['--eval', program], options)

test('run: whether it succeeded and all that it wrote', async () => {
  const both = await node("console.log('a'); console.error('b')")
  assert.deepEqual([both.passed, both.output.split('\n').sort()], [true, ['', 'a', 'b']])
  assert.equal((await node('process.exit(3)')).passed, false)
  const { passed, output } = await run('no-such-command', [])
  assert.ok(!passed)
  assert.match(output, /^Cannot run "no-such-command": .*ENOENT/)
})

test('run: a command that takes too long is ended and has failed', async () => {
  const { passed, output } = await node('setInterval(() => {}, 1000)', { limitMs: 500 })
  assert.ok(!passed)
  assert.match(output, /Ended by SIGKILL, after 0\.5 s at the latest/)
})
