import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fields } from '../wire/messages.ts'
import { Pages } from './pagination.ts'

const limits = { maxPagesPerList: 5, maxItemsPerList: 10 }

/** Pages of a list as a server would cut them, by cursor. */
const from = (pages: { readonly [cursor: string]: Fields }) => async (cursor: string | undefined) =>
  pages[cursor ?? 'first'] as Fields

test('Pages walks through every page, also past an empty cursor', async () => {
  const fetch = from({
    first: { items: [1, 2], nextCursor: '' },
    '': { items: [3], nextCursor: 'b' },
    b: { items: [] },
  })
  const seen: number[] = []
  for await (const item of new Pages<number>('items', fetch, limits)) seen.push(item)
  assert.deepEqual(seen, [1, 2, 3])
  assert.deepEqual(await new Pages<number>('items', fetch, limits).all(), [1, 2, 3])
})

test('Pages stops fetching when the reader stops', async () => {
  let fetched = 0
  const fetch = async () => ({ items: [++fetched], nextCursor: `${fetched}` })
  for await (const item of new Pages<number>('items', fetch, limits)) if (item === 2) break
  assert.equal(fetched, 2)
})

test('Pages refuses a cursor that came before', async () => {
  const fetch = from({ first: { items: [1], nextCursor: 'a' }, a: { items: [2], nextCursor: 'a' } })
  await assert.rejects(new Pages('items', fetch, limits).all(), {
    code: 'TooMany',
    message: /the same cursor came twice/,
  })
})

test('Pages refuses more pages or items than the limit', async () => {
  let page = 0
  const endless = async () => ({ items: [], nextCursor: `${page++}` })
  await assert.rejects(new Pages('items', endless, limits).all(), { code: 'TooMany', message: /more than 5 pages/ })
  const huge = async () => ({ items: Array(11).fill(0) })
  await assert.rejects(new Pages('items', huge, limits).all(), { code: 'TooMany', message: /more than 10 items/ })
})
