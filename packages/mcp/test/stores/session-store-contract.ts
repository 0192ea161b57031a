import assert from 'node:assert/strict'
import type { SessionRecord, SessionStore } from '../../src/stores/session-store.ts'
import type { On } from './stores-contract.ts'

const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } } as const
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' } as const
const subscribe = (uri: string) => ({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri } }) as const
const record = (alias: string): SessionRecord => ({ alias, messages: [initialize] })

/** Promises of every store of sessions. */
export function sessionStoreContract(on: On<Required<SessionStore>>): void {
  on('gives back the record that was saved last, until it is dropped', async (store) => {
    const whole = { alias: 'é\u0000"', principal: 'ann', messages: [initialize, initialized, subscribe('a:b')] }
    await store.save('one', record('a'))
    await store.save('one', whole)
    assert.deepEqual(await store.load('one'), whole)
    assert.equal(await store.load('other'), undefined)
    assert.equal(await store.load('__proto__'), undefined)
    await store.drop('one')
    await store.drop('never there')
    assert.equal(await store.load('one'), undefined)
  })

  on('adds one message per key to those of the record, and removes it again', async (store) => {
    await store.save('one', record('a'))
    await store.save('two', record('b'))
    await store.change('one', { key: 'initialized', message: initialized })
    await store.change('one', { key: 'watch "x" \ud800', message: subscribe('x:1') })
    await store.change('one', { key: 'watch y', message: subscribe('y:1') })
    await store.change('one', { key: 'watch "x" \ud800', message: subscribe('x:2') })
    const messages = [initialize, initialized, subscribe('x:2'), subscribe('y:1')]
    assert.deepEqual(await store.load('one'), { alias: 'a', messages })
    await store.change('one', { key: 'watch "x" \ud800', message: undefined })
    await store.change('one', { key: 'never there', message: undefined })
    assert.deepEqual((await store.load('one'))?.messages, [initialize, initialized, subscribe('y:1')])
    assert.deepEqual(await store.load('two'), record('b'))
  })

  on('changes of different keys commute, also when they are made at the same time', async (store) => {
    await store.save('one', record('a'))
    const uris = Array.from({ length: 20 }, (_, at) => `x:${at}`)
    await Promise.all(uris.map((uri) => store.change('one', { key: uri, message: subscribe(uri) })))
    const found = (await store.load('one'))?.messages.slice(1).map(({ params }) => params?.uri)
    assert.deepEqual(found?.toSorted(), uris.toSorted())
  })

  on('a change does not bring back a session that was dropped', async (store) => {
    await store.save('one', record('a'))
    await store.drop('one')
    assert.equal(await store.change('one', { key: 'k', message: initialized }), undefined)
    assert.equal(await store.version('one'), undefined)
    assert.equal(await store.read('one'), undefined)
    await store.save('one', record('b'))
    assert.deepEqual(await store.load('one'), record('b'))
  })

  on('every change and save makes a higher version, and a save forgets the changes before it', async (store) => {
    await store.save('one', record('a'))
    const first = (await store.version('one')) ?? assert.fail()
    const second = (await store.change('one', { key: 'k', message: initialized })) ?? assert.fail()
    assert.ok(second > first)
    assert.equal(await store.version('one'), second)
    assert.deepEqual(await store.read('one'), {
      record: { alias: 'a', messages: [initialize, initialized] },
      version: second,
    })
    await store.save('one', record('b'))
    const third = (await store.read('one')) ?? assert.fail()
    assert.ok(third.version > second)
    assert.deepEqual(third.record, record('b'))
    assert.equal(await store.version('other'), undefined)
  })
}
