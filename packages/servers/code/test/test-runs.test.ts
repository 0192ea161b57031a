import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProgram } from '@trunkline/base/find-program'
import { isRunning } from '@trunkline/base/is-running'
import { contract } from '@trunkline/mcp/contract'
import { tasks } from '@trunkline/mcp/tasks'
import { lacking } from '../../../../tools/lib/needs.ts'
import { until } from '../../../../tools/lib/until.ts'
import { openCode, quick, sandbox } from './sandbox.ts'

const sums = `import assert from 'node:assert/strict'
import { test } from 'node:test'
test('adds', () => {})
test('breaks', () => assert.equal(1 + 1, 3))
test('later', { skip: true }, () => {})
`
const accept = ['node --test']

test('run_tests: node:test with progress; its failures are listed, kept, and told to those who watch', async () => {
  using box = sandbox({
    'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
    'sums.test.js': sums,
  })
  await using code = await openCode({ directories: [box.root], accept })
  assert.match((await code.call('get_test_results')).text, /no tests have run yet\nUse run_tests/)
  const uri = 'code://shop/tests'
  let told = 0
  await using _watch = await code.client.watch({ uris: [uri] }, () => told++)
  const seen: number[] = []
  const result = await code.client.tools.call('run_tests', {} as never, {
    onProgress: ({ progress }) => seen.push(progress),
  })
  const { at: _, ...structured } = result.structuredContent as { at: string; items: { message: string }[] }
  const [failed] = structured.items
  assert.match(
    failed?.message ?? '',
    /^AssertionError \[ERR_ASSERTION\]: Expected values to be strictly equal:\n\n2 !== 3/,
  )
  assert.deepEqual(structured, {
    ...{ runner: 'node', passed: 1, failed: 1, skipped: 1 },
    items: [{ name: 'breaks', path: 'sums.test.js', line: 4, message: failed?.message }],
  })
  assert.deepEqual(seen, [1, 2, 3])
  await until(() => told > 0)
  const [contents] = (await code.client.resources.read(uri)).contents
  assert.match((contents as { text: string }).text, /1 passed, 1 failed, 1 skipped\nsums\.test\.js:4 breaks\n/)
  const passed = await code.call('get_test_results', { state: 'passed', path: 'sums.test.js' })
  assert.deepEqual(passed.structured.items, [{ name: 'adds', path: 'sums.test.js', line: 3 }])
  const one = await code.call('run_tests', { files: ['sums.test.js'], name: 'adds' })
  assert.deepEqual([one.structured.passed, one.structured.failed], [1, 0])
  // a name is a text, no pattern, and no flag
  assert.match(
    (await code.call('run_tests', { name: '--test-reporter=spec .*' })).text,
    /node reported no test: it ended with status 0/,
  )
})

/** A program of a project that writes a report as the real one does, to the file that its arguments name. */
function standIn(flag: string, report: string, output: string): string {
  const script = `const { appendFileSync, writeFileSync } = require('node:fs')
appendFileSync('called.txt', process.argv.slice(1).join(' ') + '\\n')
const file = process.argv.find((word) => word.startsWith('${flag}=')).slice(${flag.length + 1})
process.stdout.write(${JSON.stringify(output)})
writeFileSync(file, ${JSON.stringify(report)})
process.exit(1)`
  // a path with spaces cannot stand behind #!
  return `#!/bin/sh\nexec "${process.execPath}" -e '${script.replaceAll("'", `'\\''`)}' -- "$@"\n`
}

test('run_tests: vitest and pytest are found in the project, called for a report, and read', async () => {
  const vitest = JSON.stringify({
    testResults: [
      {
        ...{ name: 'SHOP/a.test.ts', status: 'failed' },
        assertionResults: [
          {
            ancestorTitles: ['sums'],
            title: 'breaks',
            status: 'failed',
            failureMessages: ['1 is not 2'],
            location: { line: 4 },
          },
        ],
      },
    ],
  })
  const pytest = '<testsuites><testcase classname="test_a" name="test_adds" file="test_a.py" line="2" /></testsuites>'
  using box = sandbox({
    'package.json': '{ "devDependencies": { "vitest": "5" } }',
    'test_a.py': '',
    '.venv/bin/pytest': standIn('--junitxml', pytest, 'test_a.py::test_adds PASSED    [100%]\n'),
  })
  const report = vitest.replace('SHOP', box.root)
  box.write('node_modules/.bin/vitest', standIn('--outputFile.json', report, 'not ok 1 - a.test.ts > sums > breaks\n'))
  for (const path of ['node_modules/.bin/vitest', '.venv/bin/pytest']) chmodSync(join(box.root, path), 0o755)
  const commands = ['./node_modules/.bin/vitest run', './.venv/bin/pytest']
  await using code = await openCode({ directories: [box.root], accept: commands })
  const first = await code.call('run_tests', { name: 'a (b)' })
  assert.deepEqual(first.structured.items, [
    { name: 'sums > breaks', path: 'a.test.ts', line: 4, message: '1 is not 2' },
  ])
  const seen: [number, number | undefined][] = []
  const options = {
    onProgress: ({ progress, total }: { progress: number; total?: number }) => seen.push([progress, total]),
  }
  const second = await code.client.tools.call(
    'run_tests',
    { runner: 'pytest', files: ['test_a.py'] } as never,
    options as never,
  )
  const { passed, note } = second.structuredContent as { passed: number; note: string }
  assert.deepEqual([passed, note], [1, 'no test failed, but pytest: it ended with status 1'])
  assert.deepEqual(seen, [[100, 100]])
  const [ofVitest = '', ofPytest = ''] = box.read('called.txt').trim().split('\n')
  assert.match(
    ofVitest,
    /^run --reporter=json --outputFile\.json=\S+ --reporter=tap-flat --includeTaskLocation --testNamePattern=a\( \| > \)\\\(b\\\)$/,
  )
  assert.match(ofPytest, /^-v --junitxml=\S+ -o junit_family=xunit1 \.\/test_a\.py$/)
})

const hasPytest = 'path' in findProgram('pytest', { path: process.env.PATH, cwd: '/' })

test('run_tests: pytest itself, by the report that it writes', { skip: lacking('pytest', hasPytest) }, async () => {
  using box = sandbox({
    'test_sums.py': `import pytest

def test_adds():
    assert 1 + 1 == 2

class TestSums:
    @pytest.mark.parametrize("right", [2, 3])
    def test_breaks(self, right):
        assert 1 + 1 == right

@pytest.mark.skip
def test_later():
    pass
`,
  })
  await using code = await openCode({ directories: [box.root], accept: ['pytest'] })
  const seen: number[] = []
  const result = await code.client.tools.call('run_tests', {} as never, {
    onProgress: ({ progress }) => seen.push(progress),
  })
  const { at: _, ...structured } = result.structuredContent as { at: string; items: { message: string }[] }
  const [failed] = structured.items
  assert.match(failed?.message ?? '', /assert \(1 \+ 1\) == 3|assert 2 == 3/)
  assert.deepEqual(structured, {
    ...{ runner: 'pytest', passed: 2, failed: 1, skipped: 1 },
    items: [{ name: 'TestSums > test_breaks[3]', path: 'test_sums.py', line: 7, message: failed?.message }],
  })
  assert.ok(seen.length > 0)
  const one = await code.call('run_tests', { files: ['test_sums.py'], name: 'test_adds' })
  assert.deepEqual([one.structured.passed, one.structured.failed], [1, 0])
})

test('run_tests: what is missing, not accepted or reports nothing is said, and the results before stay', async () => {
  using box = sandbox({
    'package.json': '{ "devDependencies": { "vitest": "5" } }',
    'broken.test.js': 'import "none"\n',
  })
  await using code = await openCode({ directories: [box.root], accept: ['vitest run', 'node --test', 'pytest'] })
  const missing = await code.call('run_tests', { runner: 'vitest' })
  assert.equal(missing.problem, 'unavailable')
  assert.match(
    missing.text,
    /there is no program "vitest"\nInstall vitest, or name another "runner"; nothing was changed/,
  )
  assert.match((await code.call('run_tests', { files: ['../outside/x.test.js'] })).text, /lies outside/)
  const broken = await code.call('run_tests', { runner: 'node', files: ['broken.test.js'] })
  assert.equal(broken.structured.failed ?? broken.problem, 1)
  using empty = sandbox({ 'readme.txt': '' })
  await using other = await openCode({ directories: [empty.root] })
  assert.match(
    (await other.call('run_tests')).text,
    /no test runner was found\nName one as "runner": node, vitest, pytest/,
  )
  const refused = await other.call('run_tests', { runner: 'node' })
  assert.equal(refused.problem, 'refused')
  assert.match(refused.text, /It would run "node --test" in ".*shop"/)
})

test('run_tests: shown before it happens, runs as a task, and a cancelled one ends with all that the tests started', async () => {
  const endless = `import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
test('never ends', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  writeFileSync('pids.txt', process.pid + ' ' + child.pid)
  await new Promise((resolve) => setTimeout(resolve, 1e9))
})
`
  using box = sandbox({
    'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
    'endless.test.js': endless,
  })
  await using code = await openCode(
    { directories: [box.root], accept, limits: quick },
    { extensions: [contract(), tasks()] },
  )
  const client = code.client as never as {
    tools: {
      preview(name: string, input: object): Promise<{ effects: readonly string[] }>
      start(name: string, input: object): Promise<{ id?: string; cancel(): Promise<void>; result(): Promise<unknown> }>
    }
  }
  const { effects } = await client.tools.preview('run_tests', {})
  assert.deepEqual(effects, [
    `run tests of "shop" in ${box.root}: it executes code of the project`,
    'exactly: node --test --test-reporter=REPORTER --test-reporter-destination=stdout',
  ])
  assert.equal(existsSync(join(box.root, 'pids.txt')), false)
  const task = await client.tools.start('run_tests', {})
  assert.ok(task.id)
  const ended = assert.rejects(task.result())
  await until(
    () => existsSync(join(box.root, 'pids.txt')) && /\d \d/.test(readFileSync(join(box.root, 'pids.txt'), 'utf8')),
  )
  await task.cancel()
  await ended
  const pids = box.read('pids.txt').split(' ').map(Number)
  await until(() => !pids.some((pid) => isRunning(pid)))
})
