import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownMemory } from '../../test/own-memory.ts'
import { sizeInMemory } from './size-in-memory.ts'

const many = <Item>(count: number, item: (at: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, at) => item(at))

/** Each several megabytes as a value. */
const shapes: { readonly [name: string]: () => unknown } = {
  'long text': () => 'x'.repeat(3_000_000),
  'text beyond Latin-1': () => '€'.repeat(1_500_000),
  'objects without members': () => many(60_000, () => ({})),
  'objects with the same keys': () => many(30_000, (at) => ({ name: `tool ${at}`, input: { type: 'object' } })),
  'objects with other keys each': () => many(20_000, (at) => ({ [`a${at}`]: true, [`b${at}`]: null })),
  'an object with many keys': () => Object.fromEntries(many(50_000, (at) => [`key ${at}`, at])),
  'arrays in arrays': () => many(30_000, () => [[[]]]),
  'short strings': () => many(100_000, (at) => `s${at}`),
}

for (const [shape, make] of Object.entries(shapes)) {
  test(`weigh: ${shape}, about as much as it takes up`, async () => {
    const text = JSON.stringify(make())
    const before = await ownMemory()
    const value: unknown = JSON.parse(text)
    const taken = (await ownMemory()) - before
    const weight = sizeInMemory(value)
    assert.ok(weight > 0.8 * taken && weight < 3 * taken, `${weight} for ${taken}`)
  })
}
