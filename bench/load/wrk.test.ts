import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WrongAnswer } from './load.ts'
import { readOutcome } from './wrk.ts'

test('readOutcome: reads figures in seconds and milliseconds', () => {
  const outcome = readOutcome('Running…\n\noutcome 2000 1000000 310.0 2500.5 0 0 \n', ['hello'])
  assert.deepEqual(outcome, { calls: 2000, seconds: 1, p50Ms: 0.31, p99Ms: 2.5005 })
})

test('readOutcome: a wrong answer is an error', () => {
  assert.throws(() => readOutcome('outcome 2000 1000000 310 2500 0 3 500 oops\n', ['hello']), WrongAnswer)
})

test('readOutcome: a broken connection is an error', () => {
  assert.throws(() => readOutcome('outcome 2000 1000000 310 2500 2 0 \n', ['hello']), /2 connections broke/)
})

test('readOutcome: silence is an error', () => {
  assert.throws(() => readOutcome('', ['hello']), /Cannot read/)
})
