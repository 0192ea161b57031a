/** A shop and a post office, each a program of its own: `node servers.ts shop`. */
import { serve, server } from '@trunkline/mcp'
import { z } from 'zod'

const order = z.object({ id: z.number().int(), customer: z.string(), days: z.number().int() })
const readOnly = { annotations: { readOnlyHint: true } } as const

const shop = server({ name: 'shop', version: '1.0.0' })
  .tool('list_orders', { output: z.object({ items: z.array(order) }), ...readOnly }, () => ({
    items: [
      { id: 1, customer: 'ann', days: 5 },
      { id: 2, customer: 'bob', days: 1 },
      { id: 3, customer: 'nobody', days: 9 },
      { id: 4, customer: 'bob', days: 4 },
    ],
  }))
  .tool(
    'find_customer',
    { input: z.object({ id: z.string() }), output: z.object({ mail: z.string() }), ...readOnly },
    ({ id }) => {
      if (id === 'nobody') throw new Error('There is no such customer')
      return { mail: `${id}@example.com` }
    },
  )

const post = server({ name: 'post', version: '1.0.0' }).tool(
  'send',
  { input: z.object({ to: z.string(), text: z.string() }) },
  ({ to, text }) => `to ${to}: ${text}`,
)

await serve(process.argv[2] === 'shop' ? shop : post)
