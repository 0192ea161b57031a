import { z } from 'zod'
import type { Route } from './route.ts'

const whoAsks = z.enum(['trunkline', 'client']).describe('Who asks before a call runs')

const fileChange = z.object({
  file: z.string().describe('The file that changes'),
  before: z.string().describe('Empty for a file that is not there yet'),
  after: z.string(),
})

const change = fileChange.extend({
  client: z.string(),
  asks: whoAsks,
  also: z.array(fileChange).describe('Changes to other files, so that one side asks before a call and not both'),
  asksItself: z.boolean().describe('The client may ask too, and no file of it turns that off'),
  putIn: z.array(z.string()).describe('Entries that are put in, by their names there'),
  takenOut: z.array(z.string()).describe('Entries that the host runs from then on'),
  outside: z
    .array(z.object({ name: z.string(), why: z.string() }))
    .describe('Entries that go on past the host, each with the reason'),
  digest: z.string().describe('What a person agrees to'),
})

/** Connecting the editors and other clients of this machine. */
export const connectRoutes = {
  knownClients: {
    method: 'GET',
    path: '/api/known-clients',
    needs: 'nothing',
    says: 'The clients whose files can be written, and whether they are connected',
    answer: z.object({ items: z.array(z.object({ id: z.string(), title: z.string(), isConnected: z.boolean() })) }),
  },
  planConnect: {
    method: 'GET',
    path: '/api/known-clients/{client}',
    needs: 'nothing',
    says: 'What connecting a client changes in files; nothing is written',
    query: z.strictObject({ asks: whoAsks.optional() }),
    answer: change,
  },
  connect: {
    method: 'POST',
    path: '/api/known-clients/{client}',
    needs: 'person',
    says: 'Writes exactly the change that a person saw',
    body: z.strictObject({ digest: z.string(), asks: whoAsks.optional() }),
    answer: change,
  },
} as const satisfies { readonly [name: string]: Route }
