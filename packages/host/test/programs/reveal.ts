/** A server that tells what it was started with. */
import { serve, server } from '@trunkline/mcp'

const args = process.argv.splice(2)
const env = { ...process.env }

await serve(
  server({ name: 'reveal', version: '1.0.0' }).tool('get_all', { annotations: { readOnlyHint: true } }, () =>
    JSON.stringify({ args, env }),
  ),
)
