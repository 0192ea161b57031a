import { server } from '@trunkline/mcp'
import * as v from 'valibot'

export const booking = server({ name: 'booking', version: '1.0.0' }).tool(
  'book',
  {
    input: v.object({
      room: v.pipe(v.string(), v.description('Its number')),
      nights: v.optional(v.pipe(v.number(), v.integer()), 1),
    }),
    output: v.object({ euros: v.number() }),
  },
  ({ nights }) => ({ euros: nights * 80 }),
)
