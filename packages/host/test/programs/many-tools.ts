/** A server with a thousand tools, among them a few that can be told from the others. */

import { serve, server } from '@trunkline/mcp'
import { z } from 'zod'

const things = ['invoice', 'ticket', 'customer', 'parcel', 'contract']
// its list has ten pages
let many = server({ name: 'many', version: '1.0.0', pageSize: 100 })
  .tool('tell_weather', { title: 'Forecast', description: 'Says whether it will rain' }, () => 'rain')
  .tool(
    'convert',
    { description: 'Changes money', input: z.object({ currency: z.string() }) },
    ({ currency }) => currency,
  )
  .tool('write_note', { description: 'Keeps a memo', input: z.object({ text: z.string() }) }, ({ text }) => text)
for (let number = 0; number < 997; number++) {
  const thing = things[number % things.length]
  const description = `Gives the ${thing} with the number ${number}`
  many = many.tool(`get_${thing}_${number}`, { description }, () => `${thing} ${number}`)
}

await serve(many)
