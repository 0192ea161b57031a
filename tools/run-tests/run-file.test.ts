import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../lib/until.ts'
import { readReport } from './records.ts'
import { type FileOutcome, problemOf, runFile, runGroup } from './run-file.ts'

const limits = { long: 120_000, short: 4000 }

/** Runs a test file with this text; one that must hang has little time. */
async function ran(text: string, limitMs = limits.long, signal = new AbortController().signal): Promise<FileOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'run-file-'))
  try {
    writeFileSync(join(folder, 'it.test.mjs'), `import { describe, test } from 'node:test'\n${text}`)
    return await runFile('it.test.mjs', { limitMs, folder, signal, cwd: folder })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('runFile: every test with its suites, and what was skipped, failed and written', async () => {
  const { records, problem, output } = await ran(`
    console.log('to stdout'); console.error('to stderr')
    describe('outer', () => {
      test('good', () => {})
      test('bad', () => { throw new Error('so it is', { cause: { deep: { in: { there: 1 } } } }) })
      test('missing', { skip: 'nobody has it' }, () => {})
      test('silent', { skip: true }, () => {})
    })
    describe('absent', { skip: 'no machine' }, () => { test('never', () => {}) })`)
  assert.deepEqual(
    records.map(({ kind, outcome, path, reason = '' }) => [kind, outcome, path.join('>'), reason].join(' ').trim()),
    [
      'test passed outer>good',
      'test failed outer>bad',
      'test skipped outer>missing nobody has it',
      'test skipped outer>silent no reason is given',
      'suite failed outer',
      'suite skipped absent no machine',
    ],
  )
  const [bad] = records.filter(({ error }) => error !== undefined)
  assert.match(bad?.error ?? '', /so it is.*there: 1/s)
  assert.match(bad?.at ?? '', /it\.test\.mjs:6:\d+$/)
  assert.equal(problem, undefined)
  assert.deepEqual(output.split('\n').sort(), ['', 'to stderr', 'to stdout'])
})

const hangs = {
  'waits for what never comes': [
    "test('first', () => {}); test('second', () => new Promise(() => setInterval(() => {}, 1000)))",
    /^it took longer than 4 s, while "second" ran$/,
  ],
  'never waits': [
    "test('is held up', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))",
    /^it took longer than 4 s/,
  ],
  'keeps a timer': [
    "test('leaks', () => { setInterval(() => {}, 1000) })",
    /^it took longer than 4 s.*(?:something kept it alive|ran|first test)$/,
  ],
} as const

for (const [what, [text, problem]] of Object.entries(hangs))
  test(`runFile: a file that ${what} is ended and says what it was at`, async () => {
    assert.match((await ran(text, limits.short)).problem ?? '', problem)
  })

test('runFile: what a file started ends with it', { skip: process.platform === 'win32' }, async () => {
  const { output, problem } = await ran(
    `import { spawn } from 'node:child_process'
    test('hangs', () => new Promise(() => {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
      console.log(child.pid)
    }))
    setInterval(() => {}, 1000)`,
    limits.short,
  )
  assert.match(problem ?? '', /longer than/)
  const pid = Number(output)
  assert.ok(pid > 0)
  await until(() => !isAlive(pid))
})

test('runFile: what left the group of a file is not waited for', { skip: process.platform === 'win32' }, async () => {
  const { output, problem } = await ran(`import { spawn } from 'node:child_process'
    test('leaves', () => {
      const options = { stdio: 'inherit', detached: true }
      const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], options)
      child.unref()
      console.log(child.pid)
    })`)
  assert.equal(problem, 'a process that it started outlived it')
  assert.ok(isAlive(Number(output)))
  process.kill(Number(output), 'SIGKILL')
})

/** True if a process runs; a zombie is as good as gone. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Code of a test that waits until its beginning stands in the report, which is written a moment later. */
const onceReported = `import { existsSync, readFileSync } from 'node:fs'
const report = process.execArgv.find((flag) => flag.startsWith('--test-reporter-destination=')).split('=')[1]
const isIn = (name) => existsSync(report) && readFileSync(report, 'utf8').includes(name)
const reported = async (name) => {
  while (!isIn(name)) await new Promise((go) => setTimeout(go, 10))
}
`

const endings = {
  'does not load': ["throw new Error('no such luck')", 'it ended with exit code 1 before its first test'],
  'has no tests': ['', 'it ended without a test'],
  'leaves in the middle': [
    `${onceReported}test('leaver', async () => { await reported('leaver'); process.exit(0) })`,
    'it ended while "leaver" ran',
  ],
  'leaves something behind that holds its output': [
    `import { spawn } from 'node:child_process'
    test('leaves', () => {
      spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'inherit' }).unref()
    })`,
    'a process that it started outlived it',
  ],
} as const

for (const [what, [text, problem]] of Object.entries(endings))
  test(`runFile: a file that ${what} has failed`, async () => {
    assert.equal((await ran(text)).problem, problem)
  })

test('runFile: a file that a signal ends has failed', { skip: process.platform === 'win32' }, async () => {
  const { problem } = await ran(
    `${onceReported}test('killer', async () => { await reported('killer'); process.kill(process.pid, 'SIGKILL') })`,
  )
  assert.equal(problem, 'it was ended by SIGKILL while "killer" ran')
})

test('problemOf: a report into which something else wrote is a problem', () => {
  const finished = JSON.stringify({ is: 'finished', cpuMs: 1 })
  const report = readReport(`no line of ours\n${finished}\n`)
  const ending = { code: 0, by: null, stopped: undefined, leftBehind: false }
  assert.equal(problemOf(ending, report), 'something else wrote into its report: no line of ours')
  assert.equal(problemOf(ending, readReport(`${finished}\n`)), undefined)
})

test('runFile: aborting the signal ends the file, before it began too', async () => {
  const stop = new AbortController()
  const running = ran("test('waits', () => new Promise(() => setInterval(() => {}, 1000)))", limits.long, stop.signal)
  stop.abort('it was interrupted')
  assert.match((await running).problem ?? '', /^it was interrupted, /)
  assert.match((await ran('', limits.long, stop.signal)).problem ?? '', /^it was interrupted, /)
})

/** Runs some test files in one process. */
async function ranTogether(texts: { readonly [name: string]: string }): Promise<readonly FileOutcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'run-group-'))
  try {
    for (const [name, text] of Object.entries(texts))
      writeFileSync(join(folder, name), `import { test } from 'node:test'\n${text}`)
    const { signal } = new AbortController()
    return await runGroup(Object.keys(texts), { limitMs: limits.long, folder, signal, cwd: folder })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('runGroup: each file has its own tests and failures', async () => {
  const outcomes = await ranTogether({
    'a.test.mjs': "test('good', () => {})",
    'b.test.mjs': "test('bad', () => { throw new Error('so it is') })",
  })
  assert.deepEqual(
    outcomes.map(({ file, records, problem }) => [file, records.map(({ outcome }) => outcome), problem]),
    [
      ['a.test.mjs', ['passed'], undefined],
      ['b.test.mjs', ['failed'], undefined],
    ],
  )
})

test('runGroup: a file that ends the process is named, and the others run to their end', async () => {
  const outcomes = await ranTogether({
    'a.test.mjs': "test('good', () => {})",
    'b.test.mjs': `${onceReported}test('leaver', async () => { await reported('leaver'); process.exit(0) })`,
    'c.test.mjs': "test('good too', () => {})",
  })
  assert.deepEqual(
    outcomes.map(({ file, records, problem = '' }) => [file, records.length, problem]),
    [
      ['a.test.mjs', 1, ''],
      ['b.test.mjs', 0, 'it ended while "leaver" ran'],
      ['c.test.mjs', 1, ''],
    ],
  )
})

test('runGroup: promises are followed only where a file runs alone', async () => {
  const isFollowed = `import { executionAsyncId } from 'node:async_hooks'
    test('awaits', async () => { await null; console.log(executionAsyncId() !== 0) })`
  const [together] = await ranTogether({ 'a.test.mjs': isFollowed, 'b.test.mjs': "test('good', () => {})" })
  assert.equal(together?.output, 'false\n')
  assert.equal((await ran(isFollowed)).output, 'true\n')
})

test('runGroup: an error outside of its test ends the process, and the test is named by a run of its file alone', async () => {
  const outcomes = await ranTogether({
    'a.test.mjs': "test('good', () => {})",
    'b.test.mjs': `import { existsSync, writeFileSync } from 'node:fs'
    console.log(existsSync('went-on') ? 'the process went on' : 'the process ended')
    test('waits', async ({ signal }) => {
      await null
      setTimeout(() => { throw new Error('it came from outside') })
      const goingOn = setInterval(() => writeFileSync('went-on', ''), 200)
      signal.addEventListener('abort', () => clearInterval(goingOn))
      await new Promise(() => {})
    })`,
  })
  assert.deepEqual(
    outcomes.map(({ file, records, problem }) => [file, records.map(({ outcome }) => outcome), problem]),
    [
      ['a.test.mjs', ['passed'], undefined],
      ['b.test.mjs', ['failed'], undefined],
    ],
  )
  assert.match(outcomes[1]?.records[0]?.error ?? '', /it came from outside/)
  assert.equal(outcomes[1]?.output, 'the process ended\n')
})

test('runGroup: files that pass alone and not together are a failure', async () => {
  const text = 'globalThis.count = (globalThis.count ?? 0) + 1; if (globalThis.count > 1) process.exit(3)'
  const outcomes = await ranTogether({
    'a.test.mjs': `${text}; test('x', () => {})`,
    'b.test.mjs': `${text}; test('y', () => {})`,
  })
  assert.match(outcomes[0]?.problem ?? '', /^it passes alone, but not in one process with b\.test\.mjs: /)
  assert.equal(outcomes[1]?.problem, undefined)
})
