import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkHistory } from './checker.ts'
import type { Entry } from './history.ts'

const promised = {
  answerMs: 20_000,
  storeMs: 2_000,
  learnMs: 5_000,
  tellMs: 20_000,
  limits: { calls: { perMinute: 60, burst: 2, slack: 1 } },
}

type Untimed = Entry extends infer Each
  ? Each extends Entry
    ? Omit<Each, 'at'> & { readonly at?: number }
    : never
  : never

/** Problems of a history whose entries come one second after the other, unless they say when. */
function problemsOf(...entries: readonly Untimed[]): readonly string[] {
  return checkHistory(
    entries.map((entry, index) => ({ at: index * 1_000, ...entry }) as Entry),
    promised,
  )
}

const call = { what: 'call', call: 'c', client: 'ann' } as const
const result = { what: 'answer', call: 'c', kind: 'result', value: 'c' } as const
const refused = { what: 'answer', call: 'c', kind: 'refused' } as const
const unknown = { what: 'answer', call: 'c', kind: 'unknown' } as const
const accepted = { what: 'accepted', call: 'c' } as const
const effect = { what: 'effect', call: 'c' } as const
const message = (number: number) => ({ what: 'message', stream: 's', number }) as const
const write = (fence: number, owner: string) => ({ what: 'write', task: 't', fence, owner }) as const
const pass = (at: number) => ({ what: 'pass', limit: 'calls', at }) as const

test('checkHistory: takes histories in which all is well', () => {
  assert.deepEqual(problemsOf(call, effect, result), [])
  assert.deepEqual(problemsOf(call, refused), [])
  assert.deepEqual(problemsOf(call, effect, unknown), [])
  assert.deepEqual(problemsOf(call, unknown), [])
  assert.deepEqual(problemsOf(call, { what: 'cancel', call: 'c' }), [])
  assert.deepEqual(problemsOf(message(1), message(2), { what: 'gap', stream: 's' }, message(9), message(10)), [])
  assert.deepEqual(problemsOf(write(1, 'a'), write(1, 'a'), write(3, 'b')), [])
  assert.deepEqual(problemsOf(pass(0), pass(0), pass(0), pass(1_000), pass(2_000)), [])
  assert.deepEqual(problemsOf({ what: 'stored', key: 'k', value: 1 }, { what: 'read', key: 'k', value: 2 }), [])
})

test('checkHistory: finds calls that are answered twice, never, late, or with a result of another', () => {
  assert.deepEqual(problemsOf(call, effect, result, result), ['Call c was answered 2 times'])
  assert.deepEqual(problemsOf(call), ['Call c was never answered'])
  const late = { ...result, at: 21_001 }
  assert.deepEqual(problemsOf(call, accepted, effect, late), ['Call c was answered after 20001 ms'])
  assert.deepEqual(problemsOf(call, effect, late), [])
  const began = (process: string, at: number) => ({ what: 'began', process, at }) as const
  const ended = (process: string, at: number) => ({ what: 'ended', process, at }) as const
  const both = [began('a', 0), began('b', 0), ended('a', 5_000)]
  const held = { ...accepted, at: 1_000 }
  const at = (ms: number) => ({ ...result, at: ms })
  // the process that had it may be the one that ends, or is cut off: another one takes as long again to notice
  assert.deepEqual(problemsOf(...both, call, held, effect, at(25_000)), [])
  assert.equal(problemsOf(...both, call, held, effect, at(25_001)).length, 1)
  const stop = { what: 'fault', fault: 'stop', cutsOff: true, at: 2_000 } as const
  assert.deepEqual(problemsOf(call, held, effect, stop, at(22_000)), [])
  assert.equal(problemsOf(call, held, effect, stop, at(22_001)).length, 1)
  assert.equal(problemsOf(call, held, effect, { ...stop, cutsOff: false }, at(22_000)).length, 1)
  // while no process served, none could answer
  assert.deepEqual(problemsOf(...both, call, held, effect, ended('b', 6_000), began('c', 6_002), at(26_001)), [])
  assert.equal(problemsOf(...both, call, held, effect, ended('b', 6_000), began('c', 6_000), at(26_001)).length, 1)
  const away = { what: 'fault', fault: 'restart', isAway: true, at: 6_000 } as const
  const back = { what: 'fault', fault: 'restarted', isOver: true, at: 7_000 } as const
  // both at the same time count once
  assert.equal(
    problemsOf(...both, call, held, effect, ended('b', 6_000), away, back, began('c', 7_000), at(27_500)).length,
    1,
  )
  assert.deepEqual(problemsOf(call, accepted, { ...unknown, kind: 'none' }), ['Call c was accepted and never answered'])
  assert.deepEqual(problemsOf(call, { ...unknown, kind: 'none' }), [])
  assert.deepEqual(problemsOf(call, effect, { ...result, value: 'd' }), ['Call c got the result of d'])
  assert.deepEqual(problemsOf(refused), ['An answer to c was not asked for'])
})

test('checkHistory: the time for which the engine was away is not the time of a call', () => {
  const away = (at: number) => ({ what: 'fault', fault: 'restart', isAway: true, at }) as const
  const back = (at: number) => ({ what: 'fault', fault: 'restarted', at }) as const
  const late = { ...result, at: 25_000 }
  assert.deepEqual(problemsOf(call, accepted, effect, away(4_000), back(9_000), late), [])
  assert.deepEqual(problemsOf(call, accepted, effect, away(4_000), back(7_000), late), [
    'Call c was answered after 21000 ms',
  ])
})

test('checkHistory: the outcome of an accepted call is unknown only if the engine lost something while it was under way', () => {
  const lost = { what: 'fault', fault: 'flushed', loses: true, isOver: true } as const
  const gone = { ...unknown, reason: 'status 400' }
  const problem = ['Call c was accepted, and its outcome is unknown: status 400']
  assert.deepEqual(problemsOf(call, accepted, gone), problem)
  assert.deepEqual(problemsOf(call, accepted, { ...lost, loses: false }, gone), problem)
  assert.deepEqual(problemsOf(lost, call, accepted, gone), problem)
  assert.deepEqual(problemsOf(call, accepted, gone, lost), problem)
  assert.deepEqual(problemsOf(call, accepted, lost, gone), [])
  assert.deepEqual(problemsOf(call, lost, accepted, gone), [])
  const losing = { what: 'fault', fault: 'flush', loses: true } as const
  assert.deepEqual(problemsOf(losing, call, accepted, gone, lost), [])
  const away = { what: 'fault', fault: 'restart', isAway: true, at: 1_500 } as const
  const back = (at: number) => ({ what: 'fault', fault: 'restarted', isOver: true, at }) as const
  assert.deepEqual(problemsOf(call, accepted, away, back(3_501), { ...gone, at: 4_000 }), [])
  assert.deepEqual(problemsOf(call, accepted, away, back(3_500), { ...gone, at: 4_000 }), problem)
  assert.deepEqual(problemsOf(call, gone), [])
  assert.deepEqual(problemsOf(call, accepted, { what: 'cancel', call: 'c' }, gone), [])
})

test('checkHistory: an accepted call may wait for an answer that the engine lost until all processes know of the loss', () => {
  const lost = (at: number) => ({ what: 'fault', fault: 'flushed', loses: true, isOver: true, at }) as const
  const timed = (lossAt: number, at: number, answerAt: number, kind: 'result' | 'none' = 'result') =>
    problemsOf(
      ...[
        lost(lossAt),
        { ...call, at },
        { ...accepted, at },
        { ...effect, at },
        { ...result, kind, at: answerAt },
      ].sort((one, other) => one.at - other.at),
    )
  // 5 s to know of the loss, and 20 s for the answer
  assert.deepEqual(timed(10_000, 1_000, 35_000), [])
  assert.deepEqual(timed(10_000, 1_000, 35_001), ['Call c was answered after 20001 ms'])
  assert.deepEqual(timed(10_000, 1_000, 30_000, 'none'), [])
  assert.deepEqual(timed(10_000, 1_000, 35_001, 'none'), ['Call c was accepted and never answered'])
  // a call that begins soon after the loss may reach a process that does not know of it
  assert.deepEqual(timed(0, 4_000, 25_000), [])
  assert.deepEqual(timed(0, 4_000, 25_001), ['Call c was answered after 20001 ms'])
  assert.deepEqual(timed(0, 6_000, 26_001), ['Call c was answered after 20001 ms'])
  assert.deepEqual(timed(0, 6_000, 10_000, 'none'), ['Call c was accepted and never answered'])
})

test('checkHistory: finds cancels of which the handler was not told, unless the engine lost them or the process that took them ended', () => {
  const cancel = { what: 'cancel', call: 'c' } as const
  const overslept = { what: 'overslept', call: 'c', at: 40_000 } as const
  assert.deepEqual(problemsOf(call, cancel, overslept), ['Call c was cancelled, and its handler was not told'])
  const stop = (at: number) => ({ what: 'fault', fault: 'stop', cutsOff: true, at }) as const
  const next = (at: number) => ({ what: 'fault', fault: 'kill', at }) as const
  // while its process is stopped or cut off it cannot be told
  assert.deepEqual(problemsOf(call, cancel, stop(2_000), next(22_000), overslept), [])
  assert.equal(problemsOf(call, cancel, stop(2_000), next(20_000), overslept).length, 1)
  assert.deepEqual(problemsOf(call, cancel, { what: 'fault', fault: 'flush', loses: true }, overslept), [])
  assert.deepEqual(problemsOf(call, overslept, unknown), [])
  const ended = (process: string) => ({ what: 'ended', process }) as const
  assert.deepEqual(problemsOf(call, { ...cancel, by: 'a' }, ended('a'), overslept), [])
  assert.deepEqual(problemsOf(call, { ...cancel, by: 'a' }, ended('b'), overslept), [
    'Call c was cancelled, and its handler was not told',
  ])
})

test('checkHistory: finds effects that happen twice, not at all, or although the call was refused', () => {
  assert.deepEqual(problemsOf(call, effect, effect, result), ['The effect of c happened 2 times'])
  assert.deepEqual(problemsOf(call, effect, effect, unknown), ['The effect of c happened 2 times'])
  assert.deepEqual(problemsOf(call, result), ['Call c has a result, and its effect did not happen'])
  assert.deepEqual(problemsOf(call, effect, refused), ['Call c was refused, and its effect happened'])
})

test('checkHistory: finds messages that are missing without a gap, or come again', () => {
  assert.deepEqual(problemsOf(message(1), message(4)), ['Messages 2 to 3 of s are missing, and no gap was told'])
  const sparse = { ...message(4), isSparse: true }
  assert.deepEqual(problemsOf(message(1), sparse), [])
  assert.deepEqual(problemsOf(message(1), sparse, sparse), ['Message 4 of s came again after 4'])
  assert.deepEqual(problemsOf(message(1), message(2), message(2)), ['Message 2 of s came again after 2'])
  assert.deepEqual(problemsOf(message(1), { what: 'gap', stream: 'other' }, message(3)), [
    'Messages 2 to 2 of s are missing, and no gap was told',
  ])
})

test('checkHistory: finds tasks without an outcome', () => {
  const task = { what: 'task', call: 'c' } as const
  const failed = { ...unknown, kind: 'error' } as const
  assert.deepEqual(problemsOf(call, task, effect, result), [])
  assert.deepEqual(problemsOf(call, task, effect, failed), [])
  assert.deepEqual(problemsOf(call, task, { ...unknown, reason: 'status 404' }), [
    'Call c ran as a task without an outcome: unknown status 404',
  ])
  assert.deepEqual(problemsOf(call, task, { ...unknown, kind: 'none', reason: 'it was given up' }), [
    'Call c ran as a task without an outcome: none it was given up',
  ])
})

test('checkHistory: finds owners out of order, and two of one fence', () => {
  assert.deepEqual(problemsOf(write(2, 'b'), write(1, 'a')), ['Task t: fence 1 of a wrote after fence 2'])
  assert.deepEqual(problemsOf(write(2, 'b'), write(2, 'a')), ['Task t: b and a both have fence 2'])
})

test('checkHistory: finds limits that pass more than their slack in any stretch of time', () => {
  assert.deepEqual(problemsOf(pass(0), pass(0), pass(0), pass(0)), ['Limit calls passed 4 calls beyond its rate'])
  const late = [pass(0), pass(600_000), pass(600_000), pass(600_000), pass(600_500)]
  assert.deepEqual(problemsOf(...late), ['Limit calls passed 4 calls beyond its rate'])
  const flushed = { what: 'fault', fault: 'flush', loses: true, at: 0 } as const
  assert.deepEqual(problemsOf(pass(0), pass(0), flushed, pass(0), pass(0)), [])
  assert.deepEqual(problemsOf({ what: 'pass', limit: 'other' }), ['Limit other is not promised'])
})

test('checkHistory: finds confirmed values that are lost, unless a fault came between that may lose them', () => {
  const stored = { what: 'stored', key: 'k', value: 2 } as const
  const fault = (loses: boolean) => ({ what: 'fault', fault: 'restart', loses }) as const
  assert.deepEqual(problemsOf(stored, { what: 'read', key: 'k' }), ['Value 2 of k was confirmed, and nothing was read'])
  assert.deepEqual(problemsOf(stored, fault(false), { what: 'read', key: 'k', value: 1 }), [
    'Value 2 of k was confirmed, and 1 was read',
  ])
  assert.deepEqual(problemsOf(stored, fault(true), { what: 'read', key: 'k' }), [])
})
