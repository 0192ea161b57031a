import { z } from 'zod'
import { importEdits } from '../clients/import/apply.ts'
import { discover } from '../clients/import/discover.ts'
import type { ImportPlan, PlannedServer } from '../clients/import/import-plan.ts'
import { planImport } from '../clients/import/plan.ts'
import { presentServers } from '../clients/import/present-servers.ts'
import { runImport } from '../clients/import/run.ts'
import { shownCommand } from '../clients/import/shown-command.ts'
import { describeProblem } from '../config/problem.ts'
import { hashOf } from '../text/json-hash.ts'
import { ApiError } from './api-error.ts'
import { route } from './route.ts'
import type { ApiServices } from './services.ts'

const importedServer = z.object({
  name: z.string().describe('The name it gets'),
  command: z.string().describe('The command or address in full; secrets are left out'),
  names: z.array(z.string()).describe('The names of its variables or headers'),
  secrets: z.array(z.string()).describe('Secrets that would be kept apart, by the names they get'),
  project: z.string().optional().describe('The project for which alone it is taken over'),
  isProposed: z.boolean().describe('What files of projects bring has to be chosen'),
  origins: z.array(z.object({ client: z.string(), file: z.string(), line: z.number() })),
})

const importPlan = z.object({
  items: z.array(importedServer),
  skipped: z.array(z.object({ name: z.string(), client: z.string(), why: z.string() })),
  problems: z.array(z.string()),
  digest: z.string().describe('What a person agrees to'),
})

/** Routes that import servers from other clients: as text, of which nothing starts before a person accepts it. */
export const importRoutes = {
  planImport: route({
    method: 'GET',
    path: '/api/import',
    needs: 'nothing',
    says: 'The servers that other clients on this machine have and this host has not; nothing is written',
    answer: importPlan,
    handle: async (_input, services) => shown(await planned(services)),
  }),
  importServers: route({
    method: 'POST',
    path: '/api/import',
    needs: 'person',
    says: 'Takes servers of other clients into the configuration; each starts when it is accepted',
    body: z.strictObject({ servers: z.array(z.string()).min(1), digest: z.string() }),
    answer: z.object({ files: z.array(z.string()) }),
    async handle({ servers, digest }, services) {
      const plan = await planned(services)
      if (digestOf(plan) !== digest) {
        throw new ApiError(409, 'The files of the other clients changed meanwhile; look at them again')
      }
      const unknown = servers.find((name) => !plan.servers.some((server) => server.name === name))
      if (unknown !== undefined) throw new ApiError(404, `No other client has a server "${unknown}"`)
      const choice = { servers: new Set(servers), moveSecrets: true, rules: true }
      const files = await runImport(importEdits(plan, choice), services.places, services.secrets)
      await services.applyFiles(...files)
      return { files: [...files] }
    },
  }),
}

async function planned({ host, config, secrets, machine, directory }: ApiServices): Promise<ImportPlan> {
  const present = await presentServers(await config.effective(directory), secrets)
  return planImport(await discover(machine, directory), { endpoints: [host.url], present })
}

function shown(plan: ImportPlan): z.output<typeof importPlan> {
  const { servers, skipped, left, problems } = plan
  return {
    items: servers.map(shownServer),
    skipped: skipped.map(({ origin: { name, client }, why }) => ({ name, client, why })),
    problems: [...left, ...problems].map(describeProblem),
    digest: digestOf(plan),
  }
}

function shownServer({ name, entry, project, ticked, origins, secrets }: PlannedServer) {
  const { url, env = {}, headers = {} } = entry
  return {
    name,
    command: shownCommand({ entry, secrets }),
    names: Object.keys(url === undefined ? env : headers),
    secrets: secrets.map((secret) => secret.name),
    ...(project !== undefined && { project }),
    isProposed: ticked,
    origins: origins.map(({ client, file, line }) => ({ client, file, line })),
  }
}

function digestOf({ servers }: ImportPlan): string {
  return hashOf(servers.map(({ name, entry, project }) => [name, entry, project ?? '']))
}
