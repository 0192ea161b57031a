import { server } from '@trunkline/mcp'
import { z } from 'zod'

/** A server with a tool and a resource. */
export const greeter = server({ name: 'greeter', version: '1.0.0' })
  .tool(
    'greet',
    { description: 'Greets somebody by name', input: z.object({ name: z.string() }) },
    ({ name }) => `Hello, ${name}!`,
  )
  .resource('greeter://languages', { name: 'languages' }, () => 'English')
