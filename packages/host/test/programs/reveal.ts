/** A server that shows its arguments and environment. */
import { serve, server } from '@trunkline/mcp'

const args = process.argv.splice(2)
const env = { ...process.env }

await serve(
  server({ name: 'reveal', version: '1.0.0' }).tool('get_all', { annotations: { readOnlyHint: true } }, () =>
    JSON.stringify({ args, env }),
  ),
)
