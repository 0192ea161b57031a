import { server } from '@trunkline/mcp'
import { z } from 'zod'

export const booking = server({ name: 'booking', version: '1.0.0' }).tool(
  'book',
  {
    input: z.object({ room: z.string().describe('Its number'), nights: z.number().int().default(1) }),
    output: z.object({ euros: z.number() }),
  },
  ({ nights }) => ({ euros: nights * 80 }),
)
