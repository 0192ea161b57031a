import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { EventParser, type EventParserOptions, type ServerEvent } from './event-parser.ts'

interface Parsed {
  readonly events: readonly ServerEvent[]
  readonly lastEventId: string | undefined
  readonly retryMs: number | undefined
}

function parsed(chunks: readonly (string | Uint8Array)[], options: EventParserOptions = {}): Parsed {
  const events: ServerEvent[] = []
  const parser = new EventParser((event) => events.push(event), options)
  for (const chunk of chunks) parser.push(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk)
  return { events, lastEventId: parser.lastEventId, retryMs: parser.retryMs }
}

const message = (data: string): ServerEvent => ({ type: 'message', data })

test('EventParser: lines end in LF, CR or CRLF', () => {
  const { events } = parsed(['data: 1\n\ndata: 2\r\rdata: 3\r\n\r\ndata: 4\r\n\n'])
  assert.deepEqual(events, ['1', '2', '3', '4'].map(message))
})

test('EventParser: a CRLF cut in two by chunks is one line break', () => {
  assert.deepEqual(parsed(['data: a\r', '\ndata: b\r', '\n\r', '\n']).events, [message('a\nb')])
})

test('EventParser: a CR ends a line even if nothing follows it', () => {
  assert.deepEqual(parsed(['data: a\r\r']).events, [message('a')])
})

test('EventParser: an event is dispatched by its empty line only', () => {
  assert.deepEqual(parsed(['data: a\n\ndata: b\n']).events, [message('a')])
})

test('EventParser: data of several lines is joined, and one space after the colon goes', () => {
  assert.deepEqual(parsed(['data:a\ndata:  b\ndata\ndata:\n\n']).events, [message('a\n b\n\n')])
})

test('EventParser: a byte order mark is dropped at the start, in one piece or in three, and nowhere else', () => {
  const bytes = new TextEncoder().encode('\uFEFFdata: a\n\n')
  assert.deepEqual(parsed([bytes]).events, [message('a')])
  assert.deepEqual(parsed([...bytes].map((byte) => Uint8Array.of(byte))).events, [message('a')])
  assert.deepEqual(parsed(['data: a\n\n\uFEFFdata: b\n\ndata: \uFEFF\n\n']).events, [message('a'), message('\uFEFF')])
})

test('EventParser: comments and unknown fields are ignored', () => {
  assert.deepEqual(parsed([': hello\nfoo: bar\ndata: a\n:\n\n:\n\n']).events, [message('a')])
})

test('EventParser: the type holds for one event', () => {
  const { events } = parsed(['event: endpoint\ndata: /x\n\ndata: y\n\nevent: z\n\ndata: w\n\n'])
  assert.deepEqual(events, [{ type: 'endpoint', data: '/x' }, message('y'), message('w')])
})

test('EventParser: an event without data is not dispatched, but its id counts', () => {
  assert.deepEqual(parsed(['id: 7\n\n']), { events: [], lastEventId: '7', retryMs: undefined })
  assert.deepEqual(parsed(['id: 8\ndata: \n\n']), { events: [message('')], lastEventId: '8', retryMs: undefined })
})

test('EventParser: the id of an event that is not complete does not count', () => {
  assert.equal(parsed(['id: 1\ndata: a\n\nid: 2\ndata: b\n']).lastEventId, '1')
})

test('EventParser: an id stays until another one comes, an empty one removes it, one with NUL is none', () => {
  assert.equal(parsed(['id: 1\n\ndata: a\n\n']).lastEventId, '1')
  assert.equal(parsed(['id: 1\n\nid\n\n']).lastEventId, undefined)
  assert.equal(parsed(['id: 1\n\nid: 2\0\n\n']).lastEventId, '1')
  assert.equal(parsed(['data: a\n\n'], { lastEventId: '5' }).lastEventId, '5')
})

test('EventParser: a retry is digits only', () => {
  assert.equal(parsed(['retry: 1500\n']).retryMs, 1500)
  for (const retry of ['', '-1', '1.5', '1e3', ' 1', 'soon', '１']) {
    assert.equal(parsed([`retry:  ${retry}\n`]).retryMs, undefined, retry)
  }
})

test('EventParser: bytes that are no UTF-8 become replacement characters', () => {
  const bytes = Uint8Array.of(0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0xc3, 0x0a, 0x0a)
  assert.deepEqual(parsed([bytes]).events, [message('\uFFFD\uFFFD')])
})

test('EventParser: a line in large parts arrives whole, also when they cut a character or are followed by small ones', () => {
  const large = 'x'.repeat(8_192)
  const [lead, trail] = [...new TextEncoder().encode('é')].map((byte) => Uint8Array.of(byte))
  assert.ok(lead && trail)
  const text = new TextEncoder().encode(`data: ${large}`)
  const cut = Buffer.concat([text, lead])
  const { events } = parsed([text, large, 'y', large, '\n\n', cut, Buffer.concat([trail, text]), '\n\n'])
  assert.deepEqual(events, [message(`${large}${large}y${large}`), message(`${large}édata: ${large}`)])
  assert.throws(() => parsed([text, large], { maxBytes: 16_000 }), { code: 'TooLarge' })
})

test('EventParser: the giver of a chunk may use it again', () => {
  const events: ServerEvent[] = []
  const parser = new EventParser((event) => events.push(event))
  const chunk = new TextEncoder().encode('data: ab')
  parser.push(chunk)
  chunk.fill(0x78)
  parser.push(new TextEncoder().encode('\n\n'))
  assert.deepEqual(events, [message('ab')])
})

test('EventParser: an event up to the limit passes, one byte more is too large, in lines as in one line', () => {
  const tooLarge = { code: 'TooLarge', outcome: 'Unknown' }
  assert.deepEqual(parsed(['data: 5678\n\n'], { maxBytes: 10 }).events, [message('5678')])
  assert.throws(() => parsed(['data: 56789\n\n'], { maxBytes: 10 }), tooLarge)
  assert.throws(() => parsed(['data: 56789'], { maxBytes: 10 }), tooLarge)
  assert.throws(() => parsed(['data:\n', 'data:\n', 'data:\n'], { maxBytes: 10 }), tooLarge)
  assert.throws(() => parsed([': a comment that does not end'], { maxBytes: 10 }), tooLarge)
})

test('EventParser: events before one that is too large are received', () => {
  const events: ServerEvent[] = []
  const parser = new EventParser((event) => events.push(event), { maxBytes: 10 })
  assert.throws(() => parser.push(new TextEncoder().encode('data: 1\n\ndata: 1234567')))
  assert.deepEqual(events, [message('1')])
})

test('EventParser: comments and small events may go on for ever', () => {
  const chunks = Array.from({ length: 100 }, () => ': still here\ndata: 1\n\n: still here\n')
  assert.equal(parsed(chunks, { maxBytes: 10 }).events.length, 100)
})

test('EventParser: a long event in many small chunks arrives whole, and is not copied for each of them', () => {
  const pieces = 200_000
  const parser = new EventParser(({ data }) => assert.equal(data.length, pieces * 20))
  const piece = new TextEncoder().encode('x'.repeat(20))
  parser.push(new TextEncoder().encode('data:'))
  for (let count = 0; count < pieces; count++) parser.push(piece)
  parser.push(new TextEncoder().encode('\n\n'))
})

/** The rules once more, over the whole text at once. */
function reference(text: string): Parsed {
  const events: ServerEvent[] = []
  let [type, data, id, lastEventId, retryMs] = ['', '', '', '', undefined as number | undefined]
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  for (const line of lines.slice(0, -1)) {
    const [, name = line, value = ''] = /^([^:]*): ?(.*)$/s.exec(line) ?? []
    if (line === '') {
      lastEventId = id
      if (data !== '') events.push({ type: type || 'message', data: data.slice(0, -1) })
      ;[type, data] = ['', '']
    } else if (name === 'event') type = value
    else if (name === 'data') data += `${value}\n`
    else if (name === 'id' && !value.includes('\0')) id = value
    else if (name === 'retry' && /^\d+$/.test(value)) retryMs = Number(value)
  }
  return { events, lastEventId: lastEventId || undefined, retryMs }
}

const piece = fc.oneof(
  fc.constantFrom(
    'data',
    'event',
    'id',
    'retry',
    ':',
    ': ',
    '\n',
    '\r',
    '\r\n',
    '\n\n',
    '\0',
    '\uFEFF',
    '12',
    'é',
    '🦊',
  ),
  fc.string({ maxLength: 3 }),
)

test('EventParser: reads what the rules say, however the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.array(fc.nat({ max: 9 }), { minLength: 1 }), (pieces, sizes) => {
      const bytes = new TextEncoder().encode(pieces.join(''))
      const chunks: Uint8Array[] = []
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = Math.max(sizes[turn % sizes.length] ?? 1, turn % 2)
        chunks.push(bytes.subarray(at, at + size))
        at += size
      }
      // what cannot be encoded arrives as something else
      assert.deepEqual(parsed(chunks), reference(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)))
    }),
    { numRuns: 2_000 },
  )
})
