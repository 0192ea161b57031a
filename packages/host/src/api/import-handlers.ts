import { importEdits } from '../clients/import/apply.ts'
import type { ImportPlan, PlannedServer } from '../clients/import/import-plan.ts'
import { shownCommand } from '../clients/import/shown-command.ts'
import { describeProblem } from '../config/problem.ts'
import { hashOf } from '../text/json-hash.ts'
import { ApiError } from './api-error.ts'
import type { Handlers } from './handlers.ts'
import type { ApiParts } from './parts.ts'
import type { RouteAnswer } from './routes.ts'

/** Handlers that import servers from other clients: as text, of which nothing starts before a person accepts it. */
export function importHandlers({ planImport, runImport }: ApiParts): Pick<Handlers, 'planImport' | 'importServers'> {
  return {
    planImport: async () => shown(await planImport()),
    async importServers({ servers, digest }) {
      const plan = await planImport()
      if (digestOf(plan) !== digest) {
        throw new ApiError(409, 'The files of the other clients changed meanwhile; look at them again')
      }
      const unknown = servers.find((name) => !plan.servers.some((server) => server.name === name))
      if (unknown !== undefined) throw new ApiError(404, `No other client has a server "${unknown}"`)
      const choice = { servers: new Set(servers), moveSecrets: true, rules: true }
      return { files: [...(await runImport(importEdits(plan, choice)))] }
    },
  }
}

function shown(plan: ImportPlan): RouteAnswer<'planImport'> {
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
