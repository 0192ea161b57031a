/** A server of a working day: it reads, writes with nine tools and as many more as its argument says, destroys, and fetches pages. */
import { serve, server } from '@trunkline/mcp'
import { z } from 'zod'

const input = z.object({ id: z.string() })
const office = server({ name: 'office', version: '1.0.0' })
const done: string[] = []

for (const noun of ['note', 'file', 'issue', 'page'])
  office.tool(`read_${noun}`, { input, annotations: { readOnlyHint: true } }, ({ id }) => `${noun} ${id}`)
const more = Array.from({ length: Number(process.argv[2] ?? 0) }, (_, index) => `form_${index}`)
for (const noun of ['note', 'file', 'issue', 'comment', 'branch', 'event', 'label', 'draft', 'row', ...more])
  office.tool(`create_${noun}`, { input }, ({ id }) => {
    done.push(`create_${noun} ${id}`)
    return `created ${id}`
  })
office.tool('delete_file', { input }, ({ id }) => {
  done.push(`delete_file ${id}`)
  return `deleted ${id}`
})
office.tool('list_done', { annotations: { readOnlyHint: true } }, () => JSON.stringify(done))

await serve(office)
