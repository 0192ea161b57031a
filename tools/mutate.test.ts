import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { root } from './lib/files.ts'
import { must } from './lib/run.ts'
import { hostAreas } from './mutate/host-areas.ts'
import type { Mutation } from './mutate/mutation.ts'
import { mutations } from './mutate/mutations.ts'
import { runMutations, type Verdict } from './mutate/run-mutations.ts'
import { chosenMutations, lineOf, scoreOf } from './mutate.ts'

const source = `export const sum = (one: number, other: number): number => one + other
export const isLarge = (value: number): boolean => value > 100
`
const tests = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLarge, sum } from './sum.ts'
test('sum: adds', () => assert.equal(sum(1, 2), 3))
test('isLarge: tells', () => assert.equal(isLarge(1_000), true))
`

// the tests that are run here are not part of this one
delete process.env.NODE_TEST_CONTEXT

/** A tree with a little library in it. */
async function tree(files: Record<string, string> = {}) {
  const path = mkdtempSync(join(tmpdir(), 'mutate-test-'))
  const all = { 'packages/mcp/src/sum.ts': source, 'packages/mcp/src/sum.test.ts': tests, ...files }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  cpSync(join(root, 'package.json'), join(path, 'package.json'))
  await must('git', ['init', '-q'], { cwd: path })
  return { path, read: () => readFileSync(join(path, 'packages/mcp/src/sum.ts'), 'utf8') }
}

const wrongSum: Mutation = {
  breaks: 'sums are differences',
  file: 'src/sum.ts',
  from: 'one + other',
  to: 'one - other',
  noticedBy: ['src/sum.test.ts'],
}
const wrongLimit: Mutation = { ...wrongSum, breaks: 'little is large', from: 'value > 100', to: 'value > 0' }
const settings = { jobs: 2, limitMs: 60_000 }

test('runMutations: tells which mutation is noticed, by what, and leaves the tree as it was', async () => {
  const at = await tree()
  const told: string[] = []
  const onVerdict = ({ mutation }: Verdict): unknown => told.push(mutation.breaks)
  const run = { ...settings, root: at.path, mutations: [wrongSum, wrongLimit], onVerdict }
  const verdicts = await runMutations(run)
  assert.deepEqual(
    verdicts.map(({ mutation, missedBy, by }) => [mutation, missedBy, by]),
    [
      [wrongSum, [], '"sum: adds"'],
      [wrongLimit, ['packages/mcp/src/sum.test.ts'], ''],
    ],
  )
  assert.deepEqual(told.sort(), ['little is large', 'sums are differences'])
  assert.equal(at.read(), source)
  assert.deepEqual(scoreOf(verdicts), {
    line: '1 of 2 mutations noticed: 50.0 %, at least 95 % must be',
    isEnough: false,
  })
  const [noticed, missed] = verdicts.map((verdict) => lineOf({ ...verdict, ms: 1_234 }))
  assert.equal(noticed, 'ok      1.2 s  sums are differences (packages/mcp/src/sum.ts): "sum: adds"')
  assert.equal(
    missed,
    'MISS    1.2 s  little is large (packages/mcp/src/sum.ts): not noticed by packages/mcp/src/sum.test.ts',
  )
  rmSync(at.path, { recursive: true })
})

test('runMutations: a mutation of one package is seen by the tests of another that imports it', async () => {
  const at = await tree({
    '.gitignore': 'node_modules',
    'packages/host/package.json': '{ "name": "@trunkline/host", "type": "module", "exports": "./src/sum.ts" }',
    'packages/host/src/sum.ts': source,
    'packages/cli/test/sum.test.ts': tests.replace('./sum.ts', '@trunkline/host'),
  })
  mkdirSync(join(at.path, 'node_modules/@trunkline'), { recursive: true })
  symlinkSync('../../packages/host', join(at.path, 'node_modules/@trunkline/host'))
  const inHost: Mutation = { ...wrongSum, package: 'host', noticedBy: ['packages/cli/test/sum.test.ts'] }
  const [verdict] = await runMutations({ ...settings, root: at.path, mutations: [inHost] })
  assert.deepEqual([verdict?.missedBy, verdict?.by], [[], '"sum: adds"'])
  rmSync(at.path, { recursive: true })
})

test('runMutations: a test that fails without any mutation notices nothing', async () => {
  const at = await tree({ 'packages/mcp/src/sum.test.ts': tests.replace('3)', '4)') })
  const [verdict] = await runMutations({ ...settings, root: at.path, mutations: [wrongSum] })
  assert.deepEqual([verdict?.missedBy, verdict?.by], [['packages/mcp/src/sum.test.ts, which fails anyway'], ''])
  rmSync(at.path, { recursive: true })
})

test('runMutations: a mutation that makes a test hang is noticed when its time is over', async () => {
  const at = await tree()
  // one that waits: a loop would take a core from the tests beside it
  const endless = { ...wrongSum, to: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)' }
  const [verdict] = await runMutations({ ...settings, root: at.path, mutations: [endless], limitMs: 5_000 })
  assert.deepEqual(verdict?.missedBy, [])
  assert.match(verdict?.by ?? '', /it took longer than 5 s/)
  rmSync(at.path, { recursive: true })
})

test('scoreOf: 95 of 100 are enough, 94 are not, and none is not', () => {
  const verdict = (isNoticed: boolean): Verdict => ({
    mutation: wrongSum,
    missedBy: isNoticed ? [] : ['src/sum.test.ts'],
    by: '',
    ms: 0,
  })
  const verdicts = (noticed: number) => Array.from({ length: 100 }, (_, at) => verdict(at < noticed))
  assert.equal(scoreOf(verdicts(95)).isEnough, true)
  assert.equal(scoreOf(verdicts(94)).isEnough, false)
  assert.equal(scoreOf([]).isEnough, false)
})

test('chosenMutations: by a text in the source or the effect, or all', () => {
  assert.deepEqual(chosenMutations([wrongSum, wrongLimit], ['little']), [wrongLimit])
  assert.deepEqual(chosenMutations([wrongSum, wrongLimit], ['sum.ts']), [wrongSum, wrongLimit])
  assert.deepEqual(chosenMutations([wrongSum, wrongLimit], []), [wrongSum, wrongLimit])
})

test('mutations: there are at least sixty, all over the library', () => {
  assert.ok(mutations.length >= 60)
  const folders = new Set(mutations.map(({ file }) => file.split('/')[1]))
  for (const folder of [
    'auth',
    'client',
    'dialects',
    'model',
    'rpc',
    'schema',
    'server',
    'stores',
    'transports',
    'wire',
  ]) {
    assert.ok(folders.has(folder), folder)
  }
})

test('mutations: there are at least fifteen for each area of the host that decides about trust', () => {
  const areas = ['policy', 'pins', 'taint', 'inbox', 'principals', 'ledger', 'install', 'gateway', 'API authentication']
  for (const area of areas) assert.ok((hostAreas[area]?.length ?? 0) >= 15, `${area}: ${hostAreas[area]?.length}`)
})
