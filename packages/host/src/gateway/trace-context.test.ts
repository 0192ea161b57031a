import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Act } from '../act/act.ts'
import { refuseLoop, traced } from './trace-context.ts'

const act = { id: '019a0000-0000-7000-8000-00000000abcd', trace: 'ab'.repeat(16) } as Act
const stateAfter = (tracestate?: unknown) =>
  (traced({ _meta: { tracestate } }, act)._meta as { tracestate: string }).tracestate

test('every host counts itself in the state of the trace, and keeps entries of others', () => {
  assert.equal(stateAfter(), 'trunkline=1')
  assert.equal(stateAfter('trunkline=1'), 'trunkline=2')
  assert.equal(stateAfter('vendor=a:b, trunkline=7,other=c'), 'trunkline=8,vendor=a:b,other=c')
})

test('a state that is none counts as none, and one that is too long loses its oldest members', () => {
  for (const tracestate of [5, '', 'trunkline=', 'trunkline=x', 'trunkline=-1', 'trunkline=9999', {}]) {
    assert.match(stateAfter(tracestate), /^trunkline=1(,|$)/)
    refuseLoop({ _meta: { tracestate } })
  }
  const state = stateAfter(Array.from({ length: 40 }, (_, at) => `v${at}=1`).join())
  assert.deepEqual([state.split(',').length, state.split(',')[0]], [32, 'trunkline=1'])
})

test('a request that has passed eight hosts is refused', () => {
  refuseLoop({ _meta: { tracestate: 'trunkline=7' } })
  for (const count of [8, 9, 999])
    assert.throws(() => refuseLoop({ _meta: { tracestate: `a=1,trunkline=${count}` } }), /one of them is behind itself/)
})
