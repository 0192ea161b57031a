/** A server with ten thousand tools. */
import { serve, server } from '@trunkline/mcp'

let many = server({ name: 'many', version: '1.0.0' })
for (let index = 0; index < 10_000; index += 1) {
  many = many.tool(`tool-${index}`, { description: `Does the thing of number ${index}` }, () => String(index))
}

await serve(many)
