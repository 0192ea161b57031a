import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../../tools/lib/any-character.ts'
import { ownMemory } from '../../../test/own-memory.ts'
import { LineSplitter } from './line-splitter.ts'

type Event = string | { undecodable: string } | { head: string; tail: string }

function linesOf(chunks: readonly Buffer[], maxBytes?: number): Event[] {
  const events: Event[] = []
  const receiver = {
    line: (text: string) => events.push(text),
    undecodable: (text: string) => events.push({ undecodable: text }),
    tooLong: (head: string, tail: string) => events.push({ head, tail }),
  }
  const lines = new LineSplitter(receiver, maxBytes)
  for (const chunk of chunks) lines.push(chunk)
  lines.end()
  return events
}

function cut(bytes: Buffer, size: number): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
  return chunks
}

const lineText = fc.string({ unit: anyCharacter, maxLength: 40 }).map((text) => text.replace(/[\r\n]/g, '¶'))

test('Lines: the lines are the same however the bytes are chunked', () => {
  const ends = fc.constantFrom('\n', '\r\n')
  fc.assert(
    fc.property(fc.array(fc.tuple(lineText, ends)), fc.integer({ min: 1, max: 30 }), (lines, size) => {
      const bytes = Buffer.from(lines.map(([text, end]) => text + end).join(''))
      const expected = lines.map(([text]) => text).filter((text) => text !== '')
      assert.deepEqual(linesOf(cut(bytes, size)), expected)
      assert.deepEqual(linesOf([bytes]), expected)
    }),
  )
})

test('Lines: a character that is split between chunks is put together again', () => {
  assert.deepEqual(linesOf(cut(Buffer.from('{"a":"😀é"}\n'), 1)), ['{"a":"😀é"}'])
})

test('Lines: a last line without its end is a line', () => {
  assert.deepEqual(linesOf([Buffer.from('a\nb')]), ['a', 'b'])
})

test('Lines: empty lines are no lines', () => {
  assert.deepEqual(linesOf([Buffer.from('\n\r\na\n\n\nb\n\r\n')]), ['a', 'b'])
})

test('Lines: bytes that are no UTF-8 spoil only their own line', () => {
  const bytes = Buffer.from([0x61, 0x0a, 0x62, 0xff, 0x0a, 0xc3, 0x0a, 0x63, 0x0a])
  const expected = ['a', { undecodable: 'b\ufffd' }, { undecodable: '\ufffd' }, 'c']
  for (let size = 1; size <= bytes.length; size++) assert.deepEqual(linesOf(cut(bytes, size)), expected)
})

test('Lines: of a line beyond the limit only the ends are kept while it arrives', async () => {
  const lines = new LineSplitter({ line: () => {}, undecodable: () => {}, tooLong: () => {} }, 1_000)
  const before = await ownMemory()
  for (let chunk = 0; chunk < 500; chunk++) lines.push(Buffer.alloc(65_536, 'x'))
  const grown = (await ownMemory()) - before
  assert.ok(lines.unfinished.startsWith('xxx'))
  assert.ok(grown < 8_000_000, `${grown} bytes are kept of a line that is refused`)
})

test('Lines: a line of the limit is delivered, a longer one is skipped and the next is delivered', () => {
  const bytes = Buffer.from(`${'a'.repeat(10)}\n${'b'.repeat(11)}\n${'é'.repeat(6)}\nnext\n`)
  for (let size = 1; size <= bytes.length; size++) {
    const events = linesOf(cut(bytes, size), 10)
    const seen = events.map((event) => (typeof event === 'object' && 'tail' in event ? [event.tail] : event))
    assert.deepEqual(seen, ['a'.repeat(10), ['b'.repeat(11)], ['é'.repeat(6)], 'next'], `chunks of ${size}`)
  }
})

test('Lines: of a line that is far too long only both ends are kept', () => {
  const bytes = Buffer.from(`{"id":1,${'x'.repeat(30 * 1024 * 1024)},"end":1}\nok\n`)
  const [excess, ...rest] = linesOf(cut(bytes, 65_536))
  assert.ok(typeof excess === 'object' && 'head' in excess)
  assert.match(excess.head, /^{"id":1,x{248}$/)
  assert.match(excess.tail, /^x{247},"end":1}$/)
  assert.deepEqual(rest, ['ok'])
})

test('Lines: a long line in very small chunks costs no more than its length', () => {
  const text = 'x'.repeat(10 * 1024 * 1024)
  assert.deepEqual(linesOf(cut(Buffer.from(`${text}\n`), 16)), [text])
})
