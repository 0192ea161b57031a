import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trialInWords } from './trial-words.ts'

test('trialInWords: counts calls, of which each line of the list may have several', () => {
  const change = { server: 'one', target: 'write', principal: 'editor', from: 'allow', to: 'deny', why: '' } as const
  const example = { id: '', at: 0, arguments: {} }
  const changes = [
    { ...change, count: 5, example },
    { ...change, target: 'read', count: 3, example },
  ]
  assert.equal(
    trialInWords({ calls: 20, untold: 2, changes }),
    'Of 20 recorded calls, 8 would have ended otherwise. Of 2 nobody kept the arguments.',
  )
  assert.equal(
    trialInWords({ calls: 1, untold: 0, changes: [] }),
    'Of 1 recorded call, none would have ended otherwise.',
  )
})
