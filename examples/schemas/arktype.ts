import { server } from '@trunkline/mcp'
import { type } from 'arktype'

export const booking = server({ name: 'booking', version: '1.0.0' }).tool(
  'book',
  {
    input: type({ room: type('string').describe('Its number'), nights: 'number.integer = 1' }),
    output: type({ euros: 'number' }),
  },
  ({ nights }) => ({ euros: nights * 80 }),
)
