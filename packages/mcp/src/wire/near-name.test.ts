import assert from 'node:assert/strict'
import { test } from 'node:test'
import { didYouMean, nearName } from './near-name.ts'

const names = ['maxSessions', 'maxSessionsPerCaller', 'maxPages']

test('nearName: a letter too few, too many, changed or swapped', () => {
  for (const written of ['maxSession', 'maxSessionss', 'maxSossions', 'maxSesisons', 'maxsessions']) {
    assert.equal(nearName(written, names), 'maxSessions')
  }
})

test('nearName: the beginning of a name', () => {
  assert.equal(nearName('maxQuestion', [...names, 'maxQuestionsPerCall']), 'maxQuestionsPerCall')
  assert.equal(nearName('maxS', names), 'maxSessions')
  assert.equal(nearName('max', ['maxSessions']), undefined)
})

test('nearName: nothing is near', () => {
  assert.equal(nearName('timeout', names), undefined)
  assert.equal(nearName('', names), undefined)
  assert.equal(nearName('x'.repeat(1_000_000), ['x'.repeat(1_000_000)]), undefined)
})

test('didYouMean: ends a message, or not', () => {
  assert.equal(didYouMean('maxPage', names), '; did you mean "maxPages"?')
  assert.equal(didYouMean('x', names), '')
})
