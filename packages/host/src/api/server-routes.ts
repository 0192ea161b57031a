import { z } from 'zod'
import type { Route } from './route.ts'

const processInfo = z.object({
  pid: z.number(),
  parent: z.number(),
  command: z.string(),
  bytes: z.number().describe('Resident memory'),
})

const importedServer = z.object({
  name: z.string().describe('The name it gets'),
  command: z.string().describe('The command or address in full; secrets are left out'),
  names: z.array(z.string()).describe('The names of its variables or headers'),
  secrets: z.array(z.string()).describe('Secrets that would be kept apart, by the names they get'),
  project: z.string().optional().describe('The project for which alone it is taken over'),
  isProposed: z.boolean().describe('What files of projects bring has to be chosen'),
  origins: z.array(z.object({ client: z.string(), file: z.string(), line: z.number() })),
})

/** Routes of a server's processes, and of the servers that other clients have. */
export const serverRoutes = {
  processes: {
    method: 'GET',
    path: '/api/servers/{server}/processes',
    needs: 'nothing',
    says: 'The processes of a server that runs on this machine',
    answer: z.object({
      items: z.array(processInfo),
      why: z.string().optional().describe('Why it is not known which there are'),
    }),
  },
  planImport: {
    method: 'GET',
    path: '/api/import',
    needs: 'nothing',
    says: 'The servers that other clients on this machine have and this host has not; nothing is written',
    answer: z.object({
      items: z.array(importedServer),
      skipped: z.array(z.object({ name: z.string(), client: z.string(), why: z.string() })),
      problems: z.array(z.string()),
      digest: z.string().describe('What a person agrees to'),
    }),
  },
  importServers: {
    method: 'POST',
    path: '/api/import',
    needs: 'person',
    says: 'Takes servers of other clients into the configuration; each starts when it is accepted',
    body: z.strictObject({ servers: z.array(z.string()).min(1), digest: z.string() }),
    answer: z.object({ files: z.array(z.string()) }),
  },
} as const satisfies { readonly [name: string]: Route }
