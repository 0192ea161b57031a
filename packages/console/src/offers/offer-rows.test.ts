import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListedOffer } from './listed-offer.ts'
import { offerRows, searchOffers } from './offer-rows.ts'

const offer = (server: string, title: string): ListedOffer => ({
  ...{ key: `${server} ${title}`, server, name: title, title, of: server },
  text: `${title} ${server} sends`,
})
const offers = [offer('mail', 'list'), offer('files', 'read'), offer('mail', 'send')]

test('offerRows: offers stand below the head of their server, which counts them', () => {
  const words = offerRows(offers).map((row) => ('head' in row ? `${row.head} ${row.count}` : row.offer.title))
  assert.deepEqual(words, ['mail 2', 'list', 'send', 'files 1', 'read'])
})

test('searchOffers: those whose name has the first word come first', () => {
  assert.deepEqual(
    searchOffers(offers, 'send').map(({ title }) => title),
    ['send', 'list', 'read'],
  )
  assert.equal(searchOffers(offers, 'send files').length, 1)
})
