import assert from 'node:assert/strict'
import type { EventStore } from '../../src/stores/event-store.ts'
import type { On } from './stores-contract.ts'

const event = (number: number) => ({ number, data: `é${number}\u2028` })

/** Promises of every store of events. */
export function eventStoreContract(on: On<Required<EventStore>>): void {
  on('gives the events after a number, and nothing for what it does not have', async (store) => {
    for (const number of [1, 2, 3]) await store.append('a', event(number))
    await store.append('b', event(1))
    assert.deepEqual(await store.after('a', 0), [event(1), event(2), event(3)])
    assert.deepEqual(await store.after('a', 2), [event(3)])
    assert.deepEqual(await store.after('a', 3), [])
    assert.equal(await store.after('a', 4), undefined)
    assert.equal(await store.after('c', 0), undefined)
    await store.drop('a')
    await store.drop('never there')
    assert.equal(await store.after('a', 3), undefined)
    assert.deepEqual(await store.after('b', 0), [event(1)])
  })

  on('refuses a number that is not the last plus one, and stores nothing then', async (store) => {
    assert.equal(await store.appendIf('a', event(2)), 'number')
    assert.equal(await store.head('a'), undefined)
    assert.equal(await store.appendIf('a', event(1)), undefined)
    assert.equal(await store.appendIf('a', event(1)), 'number')
    assert.equal(await store.appendIf('a', event(3)), 'number')
    assert.equal(await store.appendIf('a', event(2)), undefined)
    assert.deepEqual(await store.after('a', 0), [event(1), event(2)])
  })

  on('has one writer per stream, and refuses others', async (store) => {
    assert.equal(await store.appendIf('a', event(1), { writer: 'epoch "1"' }), undefined)
    assert.equal(await store.appendIf('a', event(2), { writer: 'epoch "2"' }), 'writer')
    assert.deepEqual(await store.head('a'), { last: 1, writer: 'epoch "1"', isClosed: false })
    assert.equal(await store.appendIf('a', event(2), { writer: 'epoch "1"' }), undefined)
    assert.equal(await store.appendIf('b', event(1), { writer: 'epoch "2"' }), undefined)
  })

  on('is closed by any process with the next number, and takes nothing after that', async (store) => {
    await store.appendIf('a', event(1), { writer: 'one' })
    assert.equal(await store.appendIf('a', event(1), { closes: true }), 'number')
    assert.equal(await store.appendIf('a', event(2), { closes: true }), undefined)
    assert.equal(await store.appendIf('a', event(3), { writer: 'one' }), 'closed')
    assert.equal(await store.appendIf('a', event(3), { closes: true }), 'closed')
    assert.equal(await store.appendNext('a', 'more'), undefined)
    assert.deepEqual(await store.after('a', 0), [event(1), event(2)])
    assert.deepEqual(await store.head('a'), { last: 2, writer: 'one', isClosed: true })
  })

  on('of the writer and another process that close a stream at the same time one counts', async (store) => {
    await store.appendIf('a', event(1), { writer: 'one' })
    const both = [{ writer: 'one', closes: true }, { closes: true }].map((options) =>
      store.appendIf('a', event(2), options),
    )
    const outcomes = await Promise.all(both)
    assert.deepEqual(outcomes.filter((outcome) => outcome === undefined).length, 1)
    assert.deepEqual(await store.after('a', 1), [event(2)])
  })

  on('numbers the events of a shared stream without a gap', async (store) => {
    const numbers = await Promise.all(Array.from({ length: 20 }, (_, at) => store.appendNext('a', `${at}`)))
    const inOrder = Array.from({ length: 20 }, (_, at) => at + 1)
    assert.deepEqual(
      numbers.toSorted((one, other) => (one ?? 0) - (other ?? 0)),
      inOrder,
    )
    const stored = (await store.after('a', 0)) ?? assert.fail()
    assert.deepEqual(
      stored.map(({ number }) => number),
      inOrder,
    )
    for (const { number, data } of stored) assert.equal(numbers[Number(data)], number)
    assert.deepEqual(await store.head('a'), { last: 20, isClosed: false })
  })
}
