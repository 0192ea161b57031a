import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkChallenges, withLinks } from './check-challenges.ts'
import { described } from './lib/sample.ts'

const path = 'docs/challenges.md'
const testOf = (number: number, name = 'name') =>
  `packages/mcp/test/challenges/${String(number).padStart(2, '0')}-${name}.test.ts`
const numbers = Array.from({ length: 33 }, (_, at) => at + 1)
const tests = numbers.map((number) => testOf(number))
const rows = numbers.map((number) => `| ${number} | what | how | [guide](contract.md) | |`)
const page = withLinks(rows.join('\n'), tests)

test('checkChallenges: one row and one linked test for each challenge pass', () => {
  assert.deepEqual(checkChallenges({ path, text: page }, tests), [])
})

test('checkChallenges: a row without a test, and a test without a row, are problems', () => {
  const without = tests.filter((each) => each !== testOf(7))
  assert.deepEqual(described(checkChallenges({ path, text: withLinks(page, without) }, [...without, testOf(34)])), [
    'docs/challenges.md:7: No test begins with the number of challenge 7',
    `${testOf(34)}: No row of docs/challenges.md has the number that this test begins with`,
  ])
})

test('checkChallenges: a missing row, a row twice, no guide and a link too few are problems', () => {
  const text = page
    .replace('| 4 |', '| 1 |')
    .replace('| 11 | what | how | [guide](contract.md) |', '| 11 | what | how | |')
  assert.deepEqual(described(checkChallenges({ path, text }, [...tests, testOf(12, 'more')])), [
    'docs/challenges.md: Challenge 1 must have one row',
    'docs/challenges.md: Challenge 4 must have one row',
    'docs/challenges.md:4: The tests of challenge 1 are others: run this check with --update',
    'docs/challenges.md:11: Challenge 11 links to no guide',
    'docs/challenges.md:12: The tests of challenge 12 are others: run this check with --update',
    `${testOf(4)}: No row of docs/challenges.md has the number that this test begins with`,
  ])
})
