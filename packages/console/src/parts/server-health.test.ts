import assert from 'node:assert/strict'
import { test } from 'node:test'
import { healthInWords, needsAttention, stateWord } from './server-health.ts'

const ready = { state: 'ready', starts: 1, isAccepted: true } as const
const unstarted = { state: 'waiting', starts: 0, isAccepted: true } as const

test('healthInWords: all well only if every server runs', () => {
  assert.equal(healthInWords([ready, ready]), '2 servers, all well')
  assert.equal(
    healthInWords([ready, unstarted, { ...unstarted, starts: 2 }]),
    '3 servers: 1 runs well, 1 idle, 1 not started yet',
  )
})

test('healthInWords: names those that failed before the host was restarted', () => {
  const broken = { ...unstarted, failedAt: 1 }
  assert.ok(needsAttention(broken))
  assert.equal(
    healthInWords([broken, { ...ready, state: 'failing' }, ready]),
    '3 servers: 1 needs attention, 1 failed when last run, 1 runs well',
  )
})

test('stateWord: a server that sleeps is idle, for only a person waits', () => {
  assert.deepEqual(['waiting', 'failing', 'ready', 'needs you'].map(stateWord), [
    'idle',
    'failed',
    'ready',
    'needs you',
  ])
})
