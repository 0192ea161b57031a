import { server } from '@trunkline/mcp'

export const clock = server({
  name: 'clock',
  version: '1.0.0',
  keys: ['a secret of at least thirty-two characters'],
}).tool(
  'zone',
  { description: 'The time zone of this server' },
  (_, ctx) => `UTC, for ${ctx.caller.principal ?? 'anybody'}`,
)
