import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { vocabularies } from '../wire/vocabulary-table.ts'
import { methods, watchedLists } from './features.ts'

const all = [...vocabularies.values()]
const newest = all.at(-1) ?? assert.fail('there is no revision')
const sources = join(import.meta.dirname, '..')

test('methods: has every request of a client but those about the connection itself', () => {
  const connection = ['initialize', 'ping', 'server/discover', 'subscriptions/listen']
  const spoken = new Set(all.flatMap(({ client }) => [...client.requests.keys()]))
  assert.deepEqual([...methods.keys(), ...connection].sort(), [...spoken].sort())
})

test('methods: each needs the capability of its feature, and its items have a type', () => {
  for (const [method, { needs = '', itemType, paged }] of methods) {
    assert.ok(method.startsWith(needs.replace(/s$/, '')), `${method} needs "${needs}"`)
    assert.ok(
      all.some(({ types }) => types.ServerCapabilities?.fields?.has(needs)),
      `no revision has "${needs}"`,
    )
    assert.equal(itemType !== undefined, paged !== undefined, method)
    assert.ok(itemType === undefined || all.some(({ types }) => types[itemType]), `no revision has "${itemType}"`)
  }
})

test('watchedLists: each is announced and asked for in the words of the newest revision', () => {
  for (const { kind, notification, filter } of watchedLists) {
    assert.ok(newest.server.notifications.has(notification), notification)
    assert.ok(newest.types.SubscriptionFilter?.fields?.has(filter), filter)
    assert.equal(methods.get(`${kind}/list`)?.staleAfter, kind)
  }
})

test('watchedLists: the layers use this table, and none spells the words of a feature itself', () => {
  const words = watchedLists.flatMap(({ notification, filter }) => [notification, filter])
  const layers = globSync('{rpc,model,dialects,transports,server,client}/**/*.ts', { cwd: sources })
  const spelling = layers
    .filter((path) => !path.endsWith('.test.ts'))
    .filter((path) => words.some((word) => readFileSync(join(sources, path), 'utf8').includes(word)))
  assert.deepEqual(spelling, [join('model', 'features.ts')])
})
