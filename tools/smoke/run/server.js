import { serve, server } from '@trunkline/mcp'

/** A server with one tool, for the client beside it to call. */
export const echo = server({ name: 'smoke', version: '1.0.0' }).tool(
  'echo',
  { input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
  ({ text }) => text,
)

if (process.argv.includes('--stdio')) await serve(echo)
