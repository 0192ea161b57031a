import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canary } from '../../packages/mcp/test/fixtures/canary.ts'
import type { TestRecord } from './records.ts'
import type { FileOutcome } from './run-file.ts'
import { withoutSecrets } from './secrets.ts'
import { failuresInShort, logOf, summaryOf } from './summary.ts'
import { countOf, noneOf, withFile } from './totals.ts'

function record(outcome: TestRecord['outcome'], path: string, rest: Partial<TestRecord> = {}): TestRecord {
  return { kind: 'test', ms: 1, outcome, path: path.split('>'), ...rest }
}

function outcome(file: string, records: readonly TestRecord[], rest: Partial<FileOutcome> = {}): FileOutcome {
  return { file, records, output: '', ms: 1000, cpuMs: 500, ...rest }
}

const skips = Array.from({ length: 7 }, (_, at) => record('skipped', `s${at}`, { reason: 'no corpus' }))
const outcomes = [
  outcome('a.test.ts', [record('passed', 'good'), ...skips], { ms: 2500 }),
  outcome(
    'b.test.ts',
    [
      record('failed', 'suite>bad', { error: 'Error: wrong\n  at b.test.ts:3', at: 'b.test.ts:3:1' }),
      record('failed', 'suite', { kind: 'suite' }),
      record('skipped', 'all of it', { kind: 'suite', reason: 'no browser' }),
    ],
    { output: 'said this\nand that\n' },
  ),
  outcome('c.test.ts', [], { problem: 'it took longer than 300 s, while "x" ran', output: 'and then nothing\n' }),
]

test('summaryOf: every reason with how often it applied, the slowest files, what was written, and failures at the end', () => {
  assert.deepEqual(summaryOf(outcomes), [
    'SKIPPED 7: no corpus',
    '  a.test.ts › s0',
    '  a.test.ts › s1',
    '  a.test.ts › s2',
    '  a.test.ts › s3',
    '  a.test.ts › s4',
    '  and 2 more',
    'SKIPPED 1: no browser',
    '  b.test.ts › all of it',
    'slowest: a.test.ts 2.5 s, b.test.ts 1.0 s, c.test.ts 1.0 s',
    'processor time: 1.5 s',
    'b.test.ts wrote:',
    '    said this',
    '    and that',
    'c.test.ts wrote:',
    '    and then nothing',
    '',
    'FAIL b.test.ts › suite › bad',
    '  at b.test.ts:3:1',
    '    Error: wrong',
    '      at b.test.ts:3',
    '',
    'FAIL c.test.ts: it took longer than 300 s, while "x" ran',
    '    and then nothing',
  ])
})

test('summaryOf: a long error is there in full, and the last lines of the run begin each failure', () => {
  const long = Array.from({ length: 100 }, (_, at) => `line ${at}`).join('\n')
  const both = ['one', 'two'].map((name) => record('failed', name, { error: long }))
  const lines = summaryOf([outcome('d.test.ts', both, { output: 'said\n'.repeat(1000) })])
  assert.equal(lines.filter((line) => line.trim() === 'line 99').length, 2)
  const closing = lines.slice(lines.lastIndexOf('    said') + 1)
  assert.deepEqual(
    closing.filter((line) => !line.includes(' line ')),
    ['one', 'two'].flatMap((name) => [
      '',
      `FAIL d.test.ts › ${name}`,
      '  at an unknown place',
      '    and 73 more lines above',
    ]),
  )
  assert.equal(closing.length, 2 * 31)
})

test('failuresInShort: each failure of its own with its error, and what is wrong with a file as a whole', () => {
  assert.deepEqual(outcomes.flatMap(failuresInShort), summaryOf(outcomes).slice(-8))
})

test('logOf: each test, each error and all that was written', () => {
  assert.deepEqual(outcomes.slice(1).flatMap(logOf), [
    'b.test.ts (1.0 s, processor 0.5 s)',
    '  failed suite › bad (1.0 ms)',
    '  failed suite (1.0 ms)',
    '  skipped all of it (1.0 ms): no browser',
    '    Error: wrong',
    '      at b.test.ts:3',
    '    said this',
    '    and that',
    'c.test.ts (1.0 s, processor 0.5 s): FAIL it took longer than 300 s, while "x" ran',
    '    and then nothing',
  ])
})

test('withFile: a file with a problem and a suite that broke are failures, a suite that was left out is a skip', () => {
  const hook = outcome('d.test.ts', [record('failed', 'suite', { kind: 'suite', error: 'Error: in a hook' })])
  assert.equal(countOf([...outcomes, hook].reduce(withFile, noneOf(4))), '1 passed, 3 failed, 8 skipped')
})

test('withoutSecrets: a secret of the tests or a token among what was written or thrown is a failure', () => {
  const token = ['{"alg":"ES256"}', '{"sub":"ann"}'].map((part) => Buffer.from(part).toString('base64url')).join('.')
  const fine = outcome('a.test.ts', [record('passed', 'tokens')], { output: 'eyJ0 is how they start\n' })
  assert.equal(withoutSecrets(fine), fine)
  for (const secret of [`Bearer ${canary}-access`, `Bearer ${token}.c2lnbmF0dXJl`]) {
    assert.match(withoutSecrets({ ...fine, output: secret }).problem ?? '', /^it printed a secret; look for "/)
    const thrown = [record('failed', 'throws', { error: secret })]
    assert.match(withoutSecrets({ ...fine, records: thrown, problem: 'it hung' }).problem ?? '', /^it hung; it printed/)
  }
})
