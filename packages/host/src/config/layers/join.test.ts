import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJson } from '../document/json.ts'
import { joinLayers } from './join.ts'
import { type LayerName, readLayer } from './layer.ts'

const layer = (name: LayerName, value: object) => readLayer(name, readJson(`${name}.json`, JSON.stringify(value)))
const all = () => true
const none = () => false

for (const list of ['allow', 'ask', 'deny', 'review']) {
  test(`joinLayers: rules of a stronger layer in policy.${list} are added to those of the weaker ones`, () => {
    const layers = (['user', 'project', 'local'] as const).map((name) =>
      layer(name, { policy: { [list]: [`${name}:*`] } }),
    )
    const { value, contributions } = joinLayers(layers, all)
    assert.deepEqual(value.policy, { [list]: ['user:*', 'project:*', 'local:*'] })
    assert.deepEqual(
      contributions.map(({ standing }) => standing),
      ['in effect', 'in effect', 'in effect'],
    )
  })
}

test('joinLayers: an unaccepted layer adds denials and questions, and its allow rules wait', () => {
  const user = layer('user', { policy: { deny: ['a:*'], allow: ['b:*'] } })
  const project = layer('project', { policy: { deny: ['c:*'], ask: ['d:*'], allow: ['e:*'] } })
  const { value } = joinLayers([user, project], ({ name }) => name === 'user')
  assert.deepEqual(value.policy, { deny: ['a:*', 'c:*'], allow: ['b:*'], ask: ['d:*'] })
})

test('joinLayers: the exceptions of a server are added up, and one without a command leaves the rest of it', () => {
  const entry = { command: 'node', args: ['a.js'], tools: { except: ['drop'] } }
  const user = layer('user', { mcpServers: { shop: entry } })
  const project = layer('project', { mcpServers: { shop: { tools: { except: ['send'] } } } })
  const { value } = joinLayers([user, project], all)
  assert.deepEqual(value.mcpServers, { shop: { ...entry, tools: { except: ['drop', 'send'] } } })
})

test('joinLayers: a layer that defines a server replaces all that weaker ones say of it', () => {
  const user = layer('user', { mcpServers: { shop: { command: 'node', env: { TOKEN: 'secret:x' } } } })
  const project = layer('project', { mcpServers: { shop: { command: 'evil' } } })
  assert.deepEqual(joinLayers([user, project], all).value.mcpServers, { shop: { command: 'evil' } })
  const { value } = joinLayers([user, project], ({ name }) => name === 'user')
  assert.deepEqual(value.mcpServers, { shop: { command: 'node', env: { TOKEN: 'secret:x' } } })
})

test('joinLayers: of any other setting the strongest layer that counts is in effect', () => {
  const user = layer('user', { ledger: { record: 'shape' } })
  const project = layer('project', { ledger: { record: 'off' } })
  assert.deepEqual(joinLayers([user, project], all).value.ledger, { record: 'off' })
  assert.deepEqual(joinLayers([user, project], none).value.ledger, undefined)
})
