import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkMutations } from './check-mutations.ts'
import { described, sample } from './lib/sample.ts'
import type { Mutation } from './mutate/mutation.ts'

const files = sample({
  'packages/mcp/src/a.ts': 'export const a = (x: number) => x + 1 // + 1\nexport const b = 2\n',
  'packages/mcp/src/a.test.ts': '',
})

const good: Mutation = {
  breaks: 'two is three',
  file: 'src/a.ts',
  from: 'b = 2',
  to: 'b = 3',
  noticedBy: ['src/a.test.ts'],
}

const problems = (mutation: Partial<Mutation>): string[] =>
  described(checkMutations([{ ...good, ...mutation }], files)).map((line) => line.slice(line.indexOf('": ') + 3))

test('checkMutations: a text that is there once, and a test that exists, pass', () => {
  assert.deepEqual(checkMutations([good], files), [])
})

test('checkMutations: a mutation that cannot be run, or would prove nothing, is a problem', () => {
  assert.deepEqual(problems({ from: 'b = 7' }), ['there is no "b = 7"'])
  assert.deepEqual(problems({ from: '+ 1' }), ['"+ 1" is there more than once'])
  assert.deepEqual(problems({ to: 'b = 2' }), ['the edit changes nothing'])
  assert.equal(problems({ to: 'b = (' }).length, 1)
  assert.deepEqual(problems({ file: 'src/none.ts' }), ['there is no such file'])
  assert.deepEqual(problems({ noticedBy: [] }), ['no test is named that must notice it'])
  assert.deepEqual(problems({ noticedBy: ['src/none.test.ts', 'src/a.ts'] }), [
    'there is no test "src/none.test.ts"',
    'there is no test "src/a.ts"',
  ])
})

test('checkMutations: two mutations that say the same are a problem', () => {
  assert.deepEqual(described(checkMutations([good, good], files)), [
    'packages/mcp/src/a.ts: Cannot run the mutation "two is three": another mutation says the same',
  ])
})
