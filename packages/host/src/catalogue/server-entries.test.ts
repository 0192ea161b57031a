import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from './entry.ts'
import { ServerEntries } from './server-entries.ts'

const entry = (kind: Entry['kind'], original: string, shown = original): Entry => ({
  ...{ kind, name: `files__${original}`, server: 'files', original, shown },
  ...{ definition: {}, hash: '', class: 'reads', standing: 'usable' },
})

test('ServerEntries: an entry is found by each of its names, and by its kind', () => {
  const read = entry('tool', 'read', 'open')
  const prompt = entry('prompt', 'read')
  const entries = new ServerEntries([read, prompt])
  assert.equal(entries.find('tool', 'original', 'read'), read)
  assert.equal(entries.find('tool', 'name', 'files__read'), read)
  assert.equal(entries.find('tool', 'shown', 'open'), read)
  assert.equal(entries.find('prompt', 'original', 'read'), prompt)
  assert.equal(entries.find('tool', 'shown', 'read'), undefined)
  assert.equal(entries.find('template', 'original', 'read'), undefined)
})

test('ServerEntries: of two with the same name the first counts', () => {
  const [first, second] = [entry('tool', 'read', 'open'), entry('tool', 'write', 'open')]
  assert.equal(new ServerEntries([first, second]).find('tool', 'shown', 'open'), first)
})

test('ServerEntries: finding reads the list once, not once for each call', () => {
  let reads = 0
  const all = Array.from({ length: 1_000 }, (_, at) => entry('tool', `tool-${at}`))
  const watched = all.map((one) =>
    Object.defineProperty({ ...one }, 'original', {
      get: () => {
        reads += 1
        return one.original
      },
    }),
  )
  const entries = new ServerEntries(watched)
  for (let at = 0; at < 1_000; at++) assert.equal(entries.find('tool', 'original', `tool-${at}`), watched[at])
  assert.equal(reads, 1_000)
})
