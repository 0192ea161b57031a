import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostEvent } from './events.ts'
import { LogBatches, maxBatchLines } from './log-batches.ts'

const line = (at: number) => ({ at, text: `line ${at}`, number: at + 1 })

test('LogBatches: lines written shortly one after the other are one event for each server', () => {
  const told: HostEvent[] = []
  const batches = new LogBatches((event) => told.push(event))
  for (let at = 0; at < 10; at += 1) batches.add('one', [line(at)])
  batches.add('two', [line(0), line(1)])
  assert.equal(told.length, 0)
  batches.flush()
  assert.deepEqual(
    told.map((event) => event.event === 'log' && [event.server, event.lines.length, event.dropped]),
    [
      ['one', 10, undefined],
      ['two', 2, undefined],
    ],
  )
})

test('LogBatches: keeps the newest lines up to its limit, and counts the others', () => {
  const told: HostEvent[] = []
  const batches = new LogBatches((event) => told.push(event))
  const all = 5 * maxBatchLines + 7
  for (let at = 0; at < all; at += 1) batches.add('one', [line(at)])
  batches.flush()
  const [event] = told
  assert.ok(event?.event === 'log')
  assert.equal(event.lines.length, maxBatchLines)
  assert.equal(event.lines.at(-1)?.text, `line ${all - 1}`)
  assert.equal(event.dropped, all - maxBatchLines)
})
