/** A server whose answers are of every kind, whose resources change, and whose tools take their time. */
import { RpcError, serve, server } from '@trunkline/mcp'
import { z } from 'zod'

/** A tenth of a second of silence. */
function silence(): string {
  const samples = 800
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(8_000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples, 40)
  return Buffer.concat([head, Buffer.alloc(samples, 128)]).toString('base64')
}

const change = [
  '--- a/poem.txt',
  '+++ b/poem.txt',
  '@@ -1,2 +1,2 @@',
  ' Roses are red',
  '-violets are green',
  '+violets are blue',
]
const table = [
  '| city | people | page |',
  '|:-----|-------:|------|',
  '| Graz | 300000 | [map](https://maps.example/graz) |',
  '| <b>Linz</b> | 210000 | `a|b` |',
]
/** A value of every kind that a form can ask for. */
const journey = z.object({
  name: z.string().min(2).meta({ title: 'Name' }),
  class: z.enum(['first', 'second']).default('second'),
  extras: z.array(z.enum(['bike', 'dog', 'bed'])).optional(),
  leaves: z.iso.date(),
  arrives: z.iso.datetime().optional(),
  seats: z.number().int().max(9).optional(),
  quiet: z.boolean().optional(),
  note: z.string().max(500).optional(),
  home: z.object({ street: z.string(), door: z.number().optional() }),
  work: z.object({ street: z.string() }).optional(),
  stops: z.array(z.object({ city: z.string() })),
  pays: z.union([
    z.object({ card: z.string() }).meta({ title: 'By card' }),
    z.object({ voucher: z.number() }).meta({ title: 'By voucher' }),
  ]),
  ticket: z.base64().optional().meta({ contentEncoding: 'base64' }),
  more: z.record(z.string(), z.unknown()).optional(),
})
const read = { annotations: { readOnlyHint: true } }
let drafts = 1

const kinds = server({ name: 'kinds', version: '1.0.0', onWarning: () => {} })
  .tool('get_kinds', { ...read, description: 'Answers with one block of every kind' }, () => ({
    content: [
      { type: 'text' as const, text: change.join('\n') },
      {
        type: 'text' as const,
        text: JSON.stringify({
          people: [
            { name: 'Ann', age: 40 },
            { name: 'Bob', age: 41 },
          ],
        }),
      },
      { type: 'audio' as const, data: silence(), mimeType: 'audio/wav' },
      { type: 'resource_link' as const, uri: 'note:draft', name: 'The draft' },
      { type: 'text' as const, text: table.join('\n') },
      {
        type: 'resource' as const,
        resource: { uri: 'note:plan', mimeType: 'text/markdown', text: '# The plan\n\n- **one**' },
      },
      {
        type: 'resource' as const,
        resource: { uri: 'file:///paper.pdf', mimeType: 'application/pdf', blob: 'JVBERi0=' },
      },
    ],
  }))
  .tool('get_error', read, () => {
    throw new RpcError(-32602, 'The city is not known', { cities: ['Graz', 'Linz'] })
  })
  .tool(
    'get_size',
    { ...read, input: z.object({ file: z.base64().meta({ contentEncoding: 'base64' }) }) },
    ({ file }) => {
      return `${Buffer.from(file, 'base64').length} bytes`
    },
  )
  .tool('get_slowly', { ...read, input: z.object({ steps: z.number().int() }) }, async ({ steps }, ctx) => {
    for (let step = 1; step <= steps && !ctx.signal.aborted; step += 1) {
      await ctx.progress(step, steps, 'step')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return 'slowly done'
  })
  .tool('get_journey', { ...read, input: journey }, (input) => JSON.stringify(input))
  .tool('get_draft_changed', read, () => {
    drafts += 1
    kinds.resources.updated('note:draft')
    return 'changed'
  })
  .tool('get_one_more', read, () => {
    kinds.resource('note:more', { name: 'One more' }, () => 'more')
    return 'added'
  })
  .resource('note:draft', { name: 'Draft' }, () => `draft number ${drafts}`)
  .template(
    'city:{country}/{city}',
    {
      name: 'cities',
      complete: {
        country: () => ['austria', 'france'],
        city: (_typed, { country }) => (country === 'france' ? ['Lyon', 'Nice'] : ['Graz', 'Linz']),
      },
    },
    ({ country, city }) => `${city} in ${country}`,
  )

await serve(kinds)
