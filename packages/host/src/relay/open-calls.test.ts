import assert from 'node:assert/strict'
import { once } from 'node:events'
import { it } from 'node:test'
import type { Fields } from '@trunkline/mcp'
import { until } from '../../../../tools/lib/until.ts'
import { OpenCalls } from './open-calls.ts'

type Round = Parameters<OpenCalls['open']>[0]

const question = { method: 'elicitation/create', params: { message: 'Which name?' } }

/** One request of a caller whose questions are rounds; `resumed` is the state it comes back with. */
function round(resumed?: { readonly state: unknown; readonly answers: Fields }): Round {
  const rounds = {
    require: (_questions: unknown, state: unknown) => ({ state }),
    given: () => undefined,
    ...(resumed && { resumed }),
  }
  const { signal } = new AbortController()
  return { caller: { capabilities: {} }, method: 'tools/call', params: {}, ctx: {}, signal, rounds } as unknown as Round
}

/** A call that asked its caller something and was left by it. */
async function parked(calls: OpenCalls) {
  const first = round()
  const call = calls.open(first)
  let ran = 0
  const work = async () => {
    const { name } = await call.ask(question)
    ran += 1
    return { hello: name }
  }
  call.start(work())
  const { state } = (await call.attach(first)) as unknown as { readonly state: string }
  calls.left(call)
  return { call, state, ran: () => ran }
}

it('OpenCalls: the same state presented twice gets the same outcome, and the call ran once', async () => {
  const calls = new OpenCalls()
  const { state, ran } = await parked(calls)
  const outcomes: unknown[] = []
  for (const name of ['Ada', 'Eve']) {
    const call = calls.find(state)
    outcomes.push(await call.attach(round({ state, answers: { 'question-1': { name } } })))
    calls.left(call)
  }
  assert.deepEqual(outcomes, [{ hello: 'Ada' }, { hello: 'Ada' }])
  assert.equal(ran(), 1)
  calls.close()
})

it('OpenCalls: a call whose caller does not come back is cancelled, and its outcome is unknown', async () => {
  const calls = new OpenCalls({ awayMs: 10 })
  const { call, state } = await parked(calls)
  // the timer does not keep a process alive
  const alive = setInterval(() => {}, 1_000)
  if (!call.signal.aborted) await once(call.signal, 'abort')
  clearInterval(alive)
  assert.equal(calls.size, 0)
  assert.throws(() => calls.find(state), /the host was restarted or gave it up; what became of it is unknown/)
})

it('OpenCalls: the end of a call is kept for a while, and then forgotten', async () => {
  const calls = new OpenCalls({ keepMs: 10 })
  const { state } = await parked(calls)
  const call = calls.find(state)
  await call.attach(round({ state, answers: { 'question-1': { name: 'Ada' } } }))
  calls.left(call)
  assert.equal(calls.size, 1)
  await until(() => calls.size === 0)
  assert.throws(() => calls.find(state), /unknown/)
})

it('OpenCalls: no more calls are open than the limit, those whose caller is away included', async () => {
  const calls = new OpenCalls({ maxOpenCalls: 1 })
  await parked(calls)
  assert.throws(() => calls.open(round()), /Cannot open a call: 1 are open already/)
  calls.close()
})
