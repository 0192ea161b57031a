import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { hostNodeFlags, hostVariables, runWithHostFlags } from './host-flags.ts'

interface Started {
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/** Arguments and variables that a process with these flags would restart with; undefined if it goes on as it is. */
function startedWith(
  t: TestContext,
  execArgv: readonly string[],
  { platform = 'linux', variables = {} as NodeJS.ProcessEnv } = {},
): Started | undefined {
  const started: Started[] = []
  const replaced = process as { execve(path: string, args: string[], env: NodeJS.ProcessEnv): void }
  const execve = t.mock.method(replaced, 'execve', (_path: string, args: string[], env: NodeJS.ProcessEnv) => {
    started.push({ args, env })
  })
  const before = { execArgv: process.execArgv, platform: process.platform, env: process.env }
  process.env = { TERM: 'dumb', ...variables }
  Object.defineProperty(process, 'platform', { value: platform })
  process.execArgv = [...execArgv]
  try {
    runWithHostFlags()
  } finally {
    Object.defineProperty(process, 'platform', { value: before.platform })
    process.execArgv = before.execArgv
    process.env = before.env
    execve.mock.restore()
  }
  return started[0]
}

test('runWithHostFlags: starts the same program anew, with what it was told and what is missing', (t) => {
  const { args, env } = startedWith(t, ['--enable-source-maps']) ?? assert.fail('not started anew')
  const words = [process.execPath, '--enable-source-maps', ...hostNodeFlags, ...process.argv.slice(1)]
  assert.deepEqual(args, words)
  assert.deepEqual(env, { ...hostVariables, TERM: 'dumb' })
})

test('runWithHostFlags: goes on where all flags and variables are there, and on Windows, which cannot start anew', (t) => {
  assert.equal(startedWith(t, hostNodeFlags, { variables: hostVariables }), undefined)
  assert.ok(startedWith(t, hostNodeFlags))
  assert.equal(startedWith(t, [], { platform: 'win32' }), undefined)
})

test('runWithHostFlags: a flag and a variable of the user are kept as they are', (t) => {
  const variables = { MALLOC_MMAP_THRESHOLD_: '1000000' }
  const started = startedWith(t, ['--max-semi-space-size=64'], { variables }) ?? assert.fail('not started anew')
  assert.deepEqual(
    started.args.filter((word) => word.startsWith('--max-semi-space-size')),
    ['--max-semi-space-size=64'],
  )
  assert.equal(started.env.MALLOC_MMAP_THRESHOLD_, '1000000')
})
