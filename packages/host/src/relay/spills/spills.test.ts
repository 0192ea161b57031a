import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { openStore } from '../../store/store.ts'
import { spillTables } from '../../store/tables/spill-table.ts'
import { bytesOver } from './result-size.ts'
import { spillParts } from './spill-parts.ts'
import { headOf, linesOf, tailOf } from './spill-text.ts'
import { type SpillLimits, Spills } from './spills.ts'

function opened(limits: SpillLimits) {
  const folder = temporaryFolder()
  const store = openStore({ path: join(folder.path, 'test.db'), rooms: [spillTables] })
  return {
    store,
    spills: new Spills(store, limits),
    async [Symbol.asyncDispose]() {
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

const spillOf = (text: string) => ({ server: 'files', target: 'read', result: { content: [{ type: 'text', text }] } })

describe('Spills', () => {
  it('keeps so many for a principal and drops its oldest, never those of another', async () => {
    await using host = opened({ maxPerPrincipal: 2 })
    const other = await host.spills.keep('other', spillOf('other'))
    const kept = [await host.spills.keep('me', spillOf('1'))]
    for (const text of ['2', '3']) kept.push(await host.spills.keep('me', spillOf(text)))
    assert.deepEqual(
      kept.map((spill) => host.spills.find('me', spill?.id ?? '') !== undefined),
      [false, true, true],
    )
    assert.ok(host.spills.find('other', other?.id ?? ''))
  })

  it('keeps so many bytes for a principal and altogether, and nothing that is larger', async () => {
    await using host = opened({ maxBytesPerPrincipal: 5_000, maxTotalBytes: 8_000 })
    assert.equal(await host.spills.keep('me', spillOf('x'.repeat(6_000))), undefined)
    const first = await host.spills.keep('me', spillOf('x'.repeat(3_000)))
    const second = await host.spills.keep('me', spillOf('x'.repeat(3_000)))
    assert.equal(host.spills.find('me', first?.id ?? ''), undefined)
    for (const one of ['a', 'b']) await host.spills.keep(one, spillOf('x'.repeat(3_000)))
    assert.equal(host.spills.find('me', second?.id ?? ''), undefined)
    const { bytes } = host.store.database.prepare('SELECT sum(bytes) AS bytes FROM spill').get() as { bytes: number }
    assert.ok(bytes <= 8_000, String(bytes))
  })

  it('forgets by age, and tells whose last one went', async () => {
    await using host = opened({ maxAgeMs: 60_000 })
    const changed: string[] = []
    host.spills.onChange((principal) => changed.push(principal))
    const kept = await host.spills.keep('me', spillOf('x'))
    assert.equal(await host.spills.prune(Date.now() + 30_000), 0)
    assert.ok(host.spills.has('me') && host.spills.find('me', kept?.id ?? ''))
    assert.equal(await host.spills.prune(Date.now() + 61_000), 1)
    assert.ok(!host.spills.has('me'))
    assert.deepEqual(changed, ['me', 'me'])
  })

  it('kept results are there after the store was closed', async () => {
    using folder = temporaryFolder()
    const open = () => openStore({ path: join(folder.path, 'test.db'), rooms: [spillTables] })
    const before = open()
    const kept = await new Spills(before).keep('me', spillOf('x'))
    await before.close()
    await using after = open()
    const spills = new Spills(after)
    assert.ok(spills.has('me'))
    assert.deepEqual(spills.find('me', kept?.id ?? '')?.result, spillOf('x').result)
  })
})

describe('the size of a result', () => {
  it('bytesOver counts bytes of JSON exactly at the limit', () => {
    for (const text of ['a'.repeat(100), 'é'.repeat(100), '\u0000'.repeat(100), '😀'.repeat(50)]) {
      const result = { content: [{ type: 'text', text }], structuredContent: { a: [1, true, null, -0.1] } }
      const bytes = Buffer.byteLength(JSON.stringify(result))
      assert.equal(bytesOver(result, bytes), undefined)
      assert.equal(bytesOver(result, bytes - 1), bytes)
    }
  })
})

it('spillParts: nothing of a result is out of reach', () => {
  const result = {
    content: [
      { type: 'text', text: 'a' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'x://1', blob: 'BBBB' } },
      { type: 'resource_link', uri: 'x://2', name: 'two' },
    ],
    structuredContent: { b: 1 },
    unknown: 3,
  }
  const texts = spillParts({ result }).map((part) => ('text' in part ? part.text : `${part.mimeType} ${part.blob}`))
  assert.deepEqual(
    texts.map((text) => text.replace(/\s+/g, ' ')),
    [
      'a',
      'audio/wav AAAA',
      'application/octet-stream BBBB',
      '{ "type": "resource_link", "uri": "x://2", "name": "two" }',
      '{ "b": 1 }',
      '{ "unknown": 3 }',
    ],
  )
})

describe('the text of a result', () => {
  it('headOf and tailOf never cut a character in two', () => {
    const text = 'aé😀'.repeat(10)
    for (let bytes = 0; bytes < 30; bytes++) {
      for (const part of [headOf(text, bytes), tailOf(text, bytes)]) {
        assert.ok(Buffer.byteLength(part) <= bytes && !part.includes('\uFFFD'), `${bytes}: ${part}`)
      }
      assert.ok(text.startsWith(headOf(text, bytes)) && text.endsWith(tailOf(text, bytes)))
    }
  })

  it('linesOf shows a long line as several, and loses nothing', () => {
    const text = `short\n${'😀'.repeat(5_000)}`
    const lines = linesOf(text)
    assert.ok(lines.length > 3 && lines.every((line) => line.length <= 2_000 && !/[\uD800-\uDBFF]$/.test(line)))
    assert.equal(lines.slice(1).join(''), '😀'.repeat(5_000))
  })
})
