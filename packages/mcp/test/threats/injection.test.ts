/** Text that would like to be more than text: line breaks in events, headers and names. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { revisions } from '@trunkline/mcp/testing'
import fc from 'fast-check'
import { anyCharacter } from '../../../../tools/lib/any-character.ts'
import { EventParser } from '../../src/transports/http/client/event-parser.ts'
import { formatEvent } from '../../src/transports/http/server/event-format.ts'
import { quiet } from '../fixtures/quiet.ts'

const breaks = [
  '\r',
  '\n',
  '\r\n',
  '\n\n',
  '\0',
  '\u2028',
  '\u2029',
  '\u0085',
  '\uFEFF',
  ':',
  ' ',
  'data:',
  'id: 1\n',
  'event: x\n',
]
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...breaks), fc.string({ unit: anyCharacter, maxLength: 5 })), { maxLength: 8 })
  .map((parts) => parts.join(''))
/** A name or an id that an event can have. */
const word = hostile.map((text) => text.replaceAll(/[\r\n\0]/g, ''))

function parse(text: string, size: number): { type: string; data: string; id: string | undefined }[] {
  const events: { type: string; data: string; id: string | undefined }[] = []
  const parser: EventParser = new EventParser((event) => events.push({ ...event, id: parser.lastEventId }))
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size))
  return events
}

test('formatEvent: whatever an event says, it is read as one event that says it', () => {
  const event = fc.record({ data: hostile, event: word, id: word, retryMs: fc.nat() }, { requiredKeys: ['data'] })
  fc.assert(
    fc.property(fc.array(event, { maxLength: 4 }), fc.integer({ min: 1, max: 7 }), (events, size) => {
      let id: string | undefined
      const expected = events.map((one) => {
        id = (one.id === undefined ? id : one.id) || undefined
        // a reader cannot tell which kind of line break it was
        return { type: one.event || 'message', data: one.data.replaceAll(/\r\n|\r/g, '\n'), id }
      })
      assert.deepEqual(parse(events.map(formatEvent).join(''), size), expected)
    }),
    { numRuns: 1_000 },
  )
})

test('formatEvent: a name or id that would break the stream is never written', () => {
  for (const bad of ['\r', '\n', '\0', 'a\nb', 'id\r\ndata: x']) {
    assert.throws(() => formatEvent({ data: '', id: bad }), TypeError)
    assert.throws(() => formatEvent({ data: '', event: bad }), TypeError)
  }
})

const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const

test('serveHttp: arguments, log messages and results arrive unchanged, in every revision', async () => {
  const definition = server({ name: 'mirror', ...quiet }).tool('say', { input: text }, async ({ text: said }, ctx) => {
    await ctx.log('error', said)
    return said
  })
  await using listening = await serveHttp(definition, { sse: true })
  for (const revision of revisions) {
    const logged: unknown[] = []
    await using client = await connect(new URL(listening.url), {
      revisions: [revision],
      onLog: ({ data }) => logged.push(data),
    })
    const said = fc.sample(hostile, { numRuns: 40, seed: 1 })
    for (const one of said) {
      assert.deepEqual((await client.tools.call('say', { text: one })).content, [{ type: 'text', text: one }])
    }
    assert.deepEqual(logged, said)
  }
})
