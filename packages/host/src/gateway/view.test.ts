import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Entry } from '../catalogue/entry.ts'
import { aggregateView, serverView } from './view.ts'

const _meta = { ui: { resourceUri: 'ui://one' }, 'ui/resourceUri': 'ui://one', 'example.com/kept': 1 }
const entry = (meta: object): Entry => ({
  kind: 'tool',
  name: 'one__show',
  server: 'one',
  original: 'show',
  shown: 'show',
  definition: { name: 'show', inputSchema: { type: 'object' }, _meta: meta },
  hash: '',
  class: 'reads',
  standing: 'usable',
})

it('the aggregate shows no app, which could reach the tools of other servers; one server shows its own', () => {
  const all = aggregateView(() => ['one', 'two'])
  assert.deepEqual(all.show(entry(_meta))._meta, { 'example.com/kept': 1 })
  assert.equal('_meta' in all.show(entry({ ui: _meta.ui })), false)
  assert.deepEqual(serverView(() => ['one']).show(entry(_meta))._meta, _meta)
})
