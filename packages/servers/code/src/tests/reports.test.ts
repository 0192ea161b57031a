import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readJunitReport } from './junit-report.ts'
import { nodeReporter, readNodeReport } from './node-report.ts'
import { runners } from './runners.ts'
import { hasName } from './test-report.ts'
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

test('readVitestReport: tests with their suites, places and messages; a file that fails outside of its tests is a failure', () => {
  // written by vitest 5.1.0 (4.1.12 writes the same), with fewer members and other paths
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
              'AssertionError: expected 1 to be 2 // Object.is equality\n    at /shop/t/a.test.js:4:54\n    at file:///shop/node_modules/vitest/dist/chunks/run.CjdgFZiW.js:1632:35\n    at new Promise (<anonymous>)\n    at runWithCancel (file:///shop/node_modules/vitest/dist/chunks/run.CjdgFZiW.js:3333:10)',
              'AssertionError: expected 3 to be 4 // Object.is equality\n    at /shop/t/a.test.js:4:78\n    at file:///shop/node_modules/vitest/dist/chunks/run.CjdgFZiW.js:1632:35',
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
          {
            ancestorTitles: [],
            title: 'some day',
            status: 'todo',
            failureMessages: [],
            location: { line: 7, column: 6 },
          },
          {
            ancestorTitles: [],
            title: 'throws a text',
            status: 'failed',
            failureMessages: ['a text'],
            location: { line: 8, column: 1 },
          },
        ],
      },
      {
        name: '/shop/t/b.test.js',
        status: 'failed',
        message: "Cannot find module '../src/none.js' imported from /shop/t/b.test.js",
        assertionResults: [],
      },
      // a hook failed: vitest tells no more about it
      {
        name: '/shop/t/c.test.js',
        status: 'failed',
        message: '',
        assertionResults: [
          {
            ancestorTitles: ['with a hook'],
            title: 'asks',
            status: 'skipped',
            failureMessages: [],
            location: { line: 4, column: 3 },
          },
        ],
      },
    ],
  }
  const path = '/shop/t/a.test.js'
  assert.deepEqual(readVitestReport(JSON.stringify(report)), [
    { name: 'sums > adds', state: 'passed', path, line: 3 },
    {
      ...{ name: 'sums > breaks <it> & "all"', state: 'failed', path, line: 4 },
      message:
        'AssertionError: expected 1 to be 2 // Object.is equality\n    at /shop/t/a.test.js:4:54\nAssertionError: expected 3 to be 4 // Object.is equality\n    at /shop/t/a.test.js:4:78',
    },
    { name: 'sums > later', state: 'skipped', path, line: 5 },
    { name: 'some day', state: 'skipped', path, line: 7 },
    { name: 'throws a text', state: 'failed', path, line: 8, message: 'a text' },
    {
      ...{ name: '/shop/t/b.test.js', state: 'failed', path: '/shop/t/b.test.js' },
      message: "Cannot find module '../src/none.js' imported from /shop/t/b.test.js",
    },
    {
      ...{ name: '/shop/t/c.test.js', state: 'failed', path: '/shop/t/c.test.js' },
      message: 'It failed outside of its tests, such as in a hook; vitest does not report why: run it in a terminal',
    },
    { name: 'with a hook > asks', state: 'skipped', path: '/shop/t/c.test.js', line: 4 },
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

test('runners: a name is a text, written as results show it or with spaces alone, and never an expression', () => {
  const flagOf = (runner: string, name: string) =>
    runners
      .find((one) => one.name === runner)
      ?.arguments({ files: [], name, report: 'r' })
      .find((word) => /^(?:--test-name-pattern|--testNamePattern|-k)=/.test(word))
      ?.replace(/^.*?=/, '')
  assert.equal(flagOf('node', 'sums > adds (a.b)'), 'sums adds \\(a\\.b\\)')
  const pattern = new RegExp(flagOf('vitest', 'sums > adds a.b') ?? '')
  // vitest 5 separates suites and tests by " > ", vitest 4 by a space
  assert.deepEqual(
    ['sums > adds a.b', 'sums adds a.b', 'sums > adds a-b'].map((name) => pattern.test(name)),
    [true, true, false],
  )
  assert.equal(flagOf('pytest', 'TestSums > test_breaks[3]'), 'TestSums and test_breaks[3]')
  assert.equal(flagOf('pytest', 'not test_adds or (True)'), 'test_adds')
  // pytest refuses it and runs nothing
  assert.equal(flagOf('pytest', '<>'), '<>')
  const result = { name: 'sums > adds', state: 'skipped' } as const
  assert.deepEqual(
    ['sums > adds', 'ms ad', 'adds sums'].map((text) => hasName(result, text)),
    [true, true, false],
  )
})
