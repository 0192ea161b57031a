import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { hostNodeFlags, runWithHostFlags } from './host-flags.ts'

/** What a process would start anew with, if it has these flags; undefined when it goes on as it is. */
function startedWith(t: TestContext, execArgv: readonly string[], platform = 'linux'): readonly string[] | undefined {
  const started: string[][] = []
  const replaced = process as { execve(path: string, args: string[]): void }
  const execve = t.mock.method(replaced, 'execve', (_path: string, args: string[]) => void started.push(args))
  const before = { execArgv: process.execArgv, platform: process.platform }
  Object.defineProperty(process, 'platform', { value: platform })
  process.execArgv = [...execArgv]
  try {
    runWithHostFlags()
  } finally {
    Object.defineProperty(process, 'platform', { value: before.platform })
    process.execArgv = before.execArgv
    execve.mock.restore()
  }
  return started[0]
}

test('runWithHostFlags: starts the same program anew, with what it was told and what is missing', (t) => {
  const [node, ...args] = startedWith(t, ['--enable-source-maps']) ?? assert.fail('not started anew')
  assert.equal(node, process.execPath)
  assert.deepEqual(args, ['--enable-source-maps', ...hostNodeFlags, ...process.argv.slice(1)])
})

test('runWithHostFlags: goes on where all flags are there, and on Windows, which cannot start anew', (t) => {
  assert.equal(startedWith(t, hostNodeFlags), undefined)
  assert.equal(startedWith(t, [], 'win32'), undefined)
})

test('runWithHostFlags: a flag of the user is kept as it is', (t) => {
  const started = startedWith(t, ['--max-semi-space-size=64']) ?? assert.fail('not started anew')
  assert.deepEqual(
    started.filter((word) => word.startsWith('--max-semi-space-size')),
    ['--max-semi-space-size=64'],
  )
})
