import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readJunitReport } from './junit-report.ts'
import { nodeReporter, readNodeReport } from './node-report.ts'
import { readVitestReport } from './vitest-report.ts'

test('readNodeReport: tests with their suites, places and messages, from node --test itself', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-code-'))
  const file = join(folder, 'sums.test.mjs')
  writeFileSync(
    file,
    `import { describe, test } from 'node:test'
describe('sums', () => {
  test('adds', () => {})
  test('breaks', () => { throw new Error('1 is not 2') })
  test('later', { skip: true }, () => {})
})
test('outer', async (t) => { await t.test('inner', () => {}) })
console.log('{"name":"no report"')
`,
  )
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const args = ['--test', `--test-reporter=${nodeReporter}`, '--test-reporter-destination=stdout', file]
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
  rmSync(folder, { recursive: true })
  const results = readNodeReport(stdout)
  assert.deepEqual(
    results.map(({ name, state, line }) => [name, state, line]),
    [
      ['sums > adds', 'passed', 3],
      ['sums > breaks', 'failed', 4],
      ['sums > later', 'skipped', 5],
      ['outer > inner', 'passed', 7],
      ['outer', 'passed', 7],
    ],
  )
  assert.match(results[1]?.message ?? '', /^Error: 1 is not 2\n/)
  assert.equal(results[1]?.path, file)
})

test('readVitestReport: tests with their suites, places and messages; a file that cannot be loaded is a failure', () => {
  // written by vitest 5.1.0, shortened
  const report = {
    testResults: [
      {
        name: '/shop/t/a.test.js',
        status: 'failed',
        message: '',
        assertionResults: [
          {
            ancestorTitles: ['sums'],
            title: 'adds',
            status: 'passed',
            failureMessages: [],
            location: { line: 3, column: 3 },
          },
          {
            ancestorTitles: ['sums'],
            title: 'breaks <it> & "all"',
            status: 'failed',
            failureMessages: [
              'AssertionError: expected { a: 1 } to deeply equal { a: 2 }\n    at /shop/t/a.test.js:4:54',
            ],
            location: { line: 4, column: 3 },
          },
          {
            ancestorTitles: ['sums'],
            title: 'later',
            status: 'skipped',
            failureMessages: [],
            location: { line: 5, column: 8 },
          },
        ],
      },
      { name: '/shop/t/b.test.js', status: 'failed', message: 'Cannot find module', assertionResults: [] },
    ],
  }
  const path = '/shop/t/a.test.js'
  assert.deepEqual(readVitestReport(JSON.stringify(report)), [
    { name: 'sums > adds', state: 'passed', path, line: 3 },
    {
      ...{ name: 'sums > breaks <it> & "all"', state: 'failed', path, line: 4 },
      message: 'AssertionError: expected { a: 1 } to deeply equal { a: 2 }\n    at /shop/t/a.test.js:4:54',
    },
    { name: 'sums > later', state: 'skipped', path, line: 5 },
    { name: '/shop/t/b.test.js', state: 'failed', path: '/shop/t/b.test.js', message: 'Cannot find module' },
  ])
})

test('readJunitReport: tests with their classes, places and messages, as pytest writes them', () => {
  // written by pytest 9.0.3, shortened
  const report = `<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" tests="5"><testcase classname="test_a.TestSums" name="test_adds" file="test_a.py" line="2" time="0.001" /><testcase classname="test_a.TestSums" name="test_breaks" file="test_a.py" line="4" time="0.002"><failure message="AssertionError: assert {'a': 1} == {'a': 2}&#10;  &#10;  Differing items: > '">self = &lt;test_a.TestSums object&gt; <!-- </testcase> --><![CDATA[<testcase name="no test">]]></failure></testcase><testcase classname="test_a" name="test_later" file="test_a.py" line="7" time="0.001"><skipped type="pytest.skip" message="unconditional skip">x</skipped></testcase><testcase classname="test_a" name="test_each[&lt;&amp;&gt;]" file="test_a.py" line="9" time="0.001"><error message="broke">x</error></testcase></testsuite></testsuites>`
  assert.deepEqual(readJunitReport(report), [
    { name: 'TestSums > test_adds', state: 'passed', path: 'test_a.py', line: 3 },
    {
      ...{ name: 'TestSums > test_breaks', state: 'failed', path: 'test_a.py', line: 5 },
      message: "AssertionError: assert {'a': 1} == {'a': 2}\n  \n  Differing items: > '",
    },
    { name: 'test_later', state: 'skipped', path: 'test_a.py', line: 8 },
    { name: 'test_each[<&>]', state: 'failed', path: 'test_a.py', line: 10, message: 'broke' },
  ])
  // linear in its size, whatever stands in it
  assert.deepEqual(readJunitReport('<'.repeat(200_000)), [])
  assert.deepEqual(readJunitReport(`<testcase ${'a="'.repeat(100_000)}`), [])
  assert.deepEqual(readJunitReport(`<x ${'a'.repeat(300_000)}>`), [])
})
