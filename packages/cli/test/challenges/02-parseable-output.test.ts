import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { type ProgramResult, type Wrapped, wrapped } from '../wrap/wrapped.ts'

/** Schema of the value; the program prints what it is given, whether that fits or not. */
const outputSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, count: { type: 'integer' } },
  required: ['name'],
  additionalProperties: false,
}

describe('a program with output that is parsed', () => {
  let at: Wrapped
  before(async () => {
    const kinds = ['auto', 'json', 'json-lines', 'csv', 'text']
    const tools = kinds.map((output) => ({ name: output, command: [], stdin: true, output }))
    at = await wrapped({
      program: ['cat'],
      tools: [...tools, { name: 'promised', command: [], stdin: true, output: 'json', outputSchema }],
    })
    await at.client.tools.list().all()
  })
  after(() => at[Symbol.asyncDispose]())

  async function printed(tool: string, stdin: string) {
    const { isError, structuredContent } = await at.client.tools.call(tool, { stdin })
    return { isError: isError ?? false, value: (structuredContent as ProgramResult | undefined)?.value }
  }

  const runs = { numRuns: 20 }
  // lone halves of pairs are no UTF-8
  const texts = fc.string({ unit: 'grapheme', maxLength: 12 })
  const promised = fc.record({ name: fc.option(texts), count: fc.option(fc.integer()) }, { noNullPrototype: true })
  const values = fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' })

  test('parseable output: what a program prints as JSON or JSON lines is the value that arrives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(texts, values, { noNullPrototype: true }), async (value) => {
        const expected = JSON.parse(JSON.stringify(value))
        for (const tool of ['auto', 'json'])
          assert.deepEqual((await printed(tool, JSON.stringify(value, null, 2))).value, expected)
        const lines = `${JSON.stringify(value)}\n${JSON.stringify([value])}\r\n`
        assert.deepEqual((await printed('json-lines', lines)).value, [expected, [expected]])
      }),
      runs,
    )
  })

  test('parseable output: every field of a CSV arrives as it was written', async () => {
    const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`
    const field = fc.oneof(texts, fc.constantFrom('a\rb', 'a\r\nb', '"', ',', '', '\u0085', '\u009b1m', ' x '))
    const rows = fc.array(fc.tuple(field, field), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        const csv = [['one', 'two'], ...all].map((row) => row.map(quoted).join(',')).join('\r\n')
        const expected = all.map(([one, two]) => ({ one, two }))
        assert.deepEqual((await printed('csv', csv)).value, expected)
      }),
      runs,
    )
  })

  test('parseable output: control characters that JSON allows are kept, and colours are not part of a value', async () => {
    const value = { text: '\u007f\u0085\u009b31m\u2028' }
    assert.deepEqual((await printed('json', JSON.stringify(value))).value, value)
    assert.deepEqual((await printed('auto', '\x1b[1m{\x1b[0m"a": \x1b[32m1\x1b[0m}\n')).value, { a: 1 })
  })

  test('parseable output: what is not as it was declared or promised is an error, never another value', async () => {
    for (const [tool, text] of [
      ['json', '{"a": '],
      ['json-lines', '{"a":1}\nnone'],
      ['csv', 'a,b\r\n"x'],
    ] as const) {
      const { isError, value } = await printed(tool, text)
      assert.deepEqual([isError, value], [true, undefined], tool)
    }
    assert.equal((await printed('text', '{"a":1}')).value, undefined)
    await fc.assert(
      fc.asyncProperty(promised, async (value) => {
        const fits = value.name !== null && value.count !== null
        const came = await printed('promised', JSON.stringify(value)).catch(() => undefined)
        assert.equal(came !== undefined && !came.isError, fits)
        if (fits) assert.deepEqual(came?.value, value)
      }),
      runs,
    )
  })
})
