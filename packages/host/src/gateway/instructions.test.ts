import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { instructionsOf } from './instructions.ts'
import { aggregateView, serverView } from './view.ts'

const texts: { readonly [server: string]: readonly [standing: string, text: string] } = {
  one: ['usable', 'a'.repeat(15_000)],
  'too-long': ['usable', 'b'.repeat(9_000)],
  three: ['changed', 'accepted'],
  fresh: ['new', 'nobody accepted this'],
}

const catalogue = {
  find: (server: string) => {
    const [standing, text] = texts[server] ?? []
    return standing && { server, standing, definition: { name: 'instructions', text } }
  },
} as unknown as Catalogue

it('instructionsOf: accepted texts of each server, in 20 000 characters; a text that does not fit is left out whole', () => {
  const all = aggregateView(() => ['one', 'too-long', 'three', 'fresh', 'silent'])
  assert.equal(instructionsOf(all, catalogue), `[server one]\n${'a'.repeat(15_000)}\n\n[server three]\naccepted`)
  assert.equal(
    instructionsOf(
      serverView(() => ['too-long']),
      catalogue,
    ),
    'b'.repeat(9_000),
  )
  assert.equal(
    instructionsOf(
      serverView(() => ['fresh']),
      catalogue,
    ),
    undefined,
  )
  assert.equal(
    instructionsOf(
      aggregateView(() => ['silent']),
      catalogue,
    ),
    undefined,
  )
})
