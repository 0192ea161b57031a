import { server } from '@trunkline/mcp'

export const booking = server({ name: 'booking', version: '1.0.0' }).tool(
  'book',
  {
    input: {
      type: 'object',
      properties: {
        room: { type: 'string', description: 'Its number' },
        nights: { type: 'integer', default: 1 },
      },
      required: ['room'],
    },
    output: { type: 'object', properties: { euros: { type: 'number' } }, required: ['euros'] },
  },
  ({ nights }) => ({ euros: nights * 80 }),
)
