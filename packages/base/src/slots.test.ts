import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Slots, SlotsFull } from './slots.ts'

describe('Slots', () => {
  it('more places let waiting calls go on; with fewer no holder loses its place, and the next one waits', async () => {
    const slots = new Slots(1, 10)
    const first = await slots.take()
    const [second, third] = [slots.take(), slots.take()]
    slots.most = 2
    const release = await second
    assert.deepEqual([slots.taken, slots.waiting], [2, 1])
    slots.most = 1
    first()
    assert.deepEqual([slots.taken, slots.waiting], [1, 1])
    release()
    ;(await third)()
    assert.deepEqual([slots.taken, slots.waiting], [0, 0])
  })

  it('hands places on in order of arrival, and a caller that gives up leaves the queue', async () => {
    const slots = new Slots(1, 2)
    const order: string[] = []
    const release = await slots.take()
    const stop = new AbortController()
    const gone = slots.take(stop.signal)
    const last = slots.take().then(() => order.push('last'))
    await assert.rejects(slots.take(), SlotsFull)
    stop.abort(new Error('gave up'))
    await assert.rejects(gone, /gave up/)
    release()
    release()
    await last
    assert.deepEqual([slots.taken, slots.waiting, order], [1, 0, ['last']])
  })
})
