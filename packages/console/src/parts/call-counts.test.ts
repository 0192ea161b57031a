import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callCounts, countsInWords, onlyWhereSome } from './call-counts.ts'

const now = 10_000_000

function line(agoMs: number, outcome: string, ms: number) {
  const at = now - agoMs
  return {
    number: at,
    at,
    hash: '',
    previous: '',
    line: { kind: 'ended' as const, actKind: 'call', act: String(at), outcome, ms },
  }
}

test('callCounts: steps of ten seconds while nothing is older than ten minutes', () => {
  const counts = callCounts([line(25_000, 'ok', 5), line(24_000, 'error', 50), line(1_000, 'ok', 7)], now)
  assert.equal(counts.minutes, 10)
  assert.deepEqual([counts.calls.at(-1), counts.calls.at(-3), counts.failed.at(-3)], [1, 2, 1])
  assert.deepEqual([counts.usual.at(-3), counts.slow.at(-3), counts.slow.at(-2)], [50, 50, null])
  assert.match(countsInWords(counts), /^3 calls in the last 10 minutes, 1 failed, p95 50 ms$/)
})

test('callCounts: an hour where lines reach that far back, and nothing beyond it', () => {
  const counts = callCounts([line(2 * 3_600_000, 'ok', 1), line(30 * 60_000, 'ok', 1)], now)
  assert.equal(counts.minutes, 60)
  assert.equal(
    counts.calls.reduce((sum, count) => sum + count, 0),
    1,
  )
})

test('callCounts: calls that ran, as the number of 30 days counts them; no reads, and none that was refused', () => {
  const { line: of, ...at } = line(2_000, 'waiting', 45_000)
  const refused = { ...at, line: { ...of, kind: 'refused' as const } }
  const read = { ...at, line: { ...of, actKind: 'read', outcome: 'ok' } }
  const { calls, failed } = callCounts([refused, read, line(1_000, 'ok', 5)], now)
  assert.deepEqual([calls.at(-1), failed.at(-1)], [1, 0])
})

test('callCounts: the time for a person is not that of the server, and what a person cancels is no failure', () => {
  const asked = line(2_000, 'ok', 30_050)
  const decided = { ...asked, line: { kind: 'decided' as const, act: asked.line.act, outcome: 'once', ms: 30_000 } }
  const { calls, failed, slow, all } = callCounts([decided, asked, line(1_000, 'cancelled', 20)], now)
  assert.deepEqual(all, { calls: 2, failed: 0, p50: 50, p95: 50 })
  assert.deepEqual([calls.at(-1), failed.at(-1), slow.at(-1)], [2, 0, 50])
})

test('onlyWhereSome: the ground is drawn right beside what there is, and nowhere else', () => {
  assert.deepEqual(onlyWhereSome([0, 0, 0, 2, 0, 0]), [null, null, 0, 2, 0, null])
  assert.deepEqual(onlyWhereSome([0, 0]), [null, null])
})
