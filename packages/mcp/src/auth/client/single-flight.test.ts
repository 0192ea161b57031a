import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gate } from '../../../test/gate.ts'
import { SingleFlight } from './single-flight.ts'

test('Flight: many wait for one task', async () => {
  let runs = 0
  const flight = new SingleFlight(async () => ++runs)
  assert.deepEqual(await Promise.all([flight.join(undefined), flight.join(undefined)]), [1, 1])
})

test('Flight: all hear of a failure', async () => {
  const flight = new SingleFlight(() => Promise.reject(new Error('broken')))
  await assert.rejects(flight.join(undefined), /broken/)
  await assert.rejects(flight.join(undefined), /broken/)
})

test('Flight: a caller that gives up leaves the others waiting', async () => {
  const result = gate<string>()
  const flight = new SingleFlight(() => result.promise)
  const stop = new AbortController()
  const impatient = flight.join(stop.signal)
  const patient = flight.join(undefined)
  stop.abort(new Error('enough'))
  await assert.rejects(impatient, /enough/)
  assert.equal(flight.isAbandoned, false)
  result.open('done')
  assert.equal(await patient, 'done')
})

test('Flight: ends when the last one gives up', async () => {
  const ended = gate()
  const flight = new SingleFlight(
    (signal) => new Promise<never>(() => signal.addEventListener('abort', () => ended.open())),
  )
  const stop = new AbortController()
  const waiting = flight.join(stop.signal)
  stop.abort(new Error('enough'))
  await assert.rejects(waiting, /enough/)
  assert.equal(flight.isAbandoned, true)
  await ended.promise
})
