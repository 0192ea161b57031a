import { z } from 'zod'
import { serverNameOf } from '../act/server-key.ts'
import type { Host } from '../assembly/host.ts'
import { proposedSandbox } from '../catalogue/effects.ts'
import { commandHash } from '../servers/launch.ts'
import { InstallScriptsError } from '../servers/programs/install-scripts.ts'
import type { ServerSpec } from '../servers/server-spec.ts'
import { ApiError } from './api-error.ts'
import { recordChange } from './record-change.ts'
import { route } from './route.ts'
import * as s from './schemas.ts'
import { specNamed } from './server-named.ts'
import { recentCalls, shownEntry } from './shown-entry.ts'

/** Servers of one code; a person reads every command. */
const maxTogether = 50

const shownServers = z
  .array(z.strictObject({ server: z.string(), commandHash: z.string() }))
  .min(1)
  .max(maxTogether)
  .describe('The servers with the commands that were shown')

/** Routes that accept servers, and trust them for a while. */
export const acceptRoutes = {
  acceptServer: route({
    method: 'POST',
    path: '/api/servers/{server}/accept',
    needs: 'person',
    says: 'Accepts a server with exactly the command a person saw, starts it and pins what it offers',
    body: z.strictObject({
      commandHash: z.string(),
      code: z.string().optional().describe('What the terminal shows; a page needs it'),
    }),
    answer: z.object({
      setAside: z.array(s.catalogueEntry),
      proposes: z.string().optional().describe('A sandbox that leaves it what its tools say they touch'),
      scripts: z
        .array(z.string())
        .optional()
        .describe('Install scripts of its package that a person has to see first; it was not accepted yet'),
    }),
    async handle({ server: name, commandHash: seen, code = '' }, { host, codes }, { isPage }) {
      const { server, now } = await asShown(host, name, seen)
      if (isPage && !codes.spend(server, now, code)) throw wrongCode()
      const scripts = await host.accept(server, now).then(() => [], scriptsToSee)
      if (scripts.length > 0) return { setAside: [], scripts: [...scripts] }
      const calls = recentCalls(host.store)
      const shown = host.catalogue.entries(server).map((entry) => shownEntry(entry, calls))
      const proposes = sandboxProposal(host, specNamed(host, server))
      return {
        setAside: shown.filter(({ standing }) => standing !== 'usable'),
        ...(proposes !== undefined && { proposes }),
      }
    },
  }),
  makeAcceptCode: route({
    method: 'POST',
    path: '/api/servers/{server}/accept-code',
    needs: 'person',
    says: 'Shows a code in the terminal with which a page can accept a server',
    answer: z.object({ expiresAt: z.number() }),
    async handle({ server: name }, { host, showCode, codes }) {
      const { server, seen } = await acceptable(host, name)
      if (!showCode)
        throw noTerminal(`run "trunkline accept ${name}" in a terminal; it shows the same command and asks you there`)
      const made = codes.make(server, seen)
      showCode(made)
      return { expiresAt: made.expiresAt }
    },
  }),
  acceptServers: route({
    method: 'POST',
    path: '/api/accept',
    needs: 'person',
    says: 'Accepts several servers, each with exactly the command a person saw; one that changed meanwhile is refused',
    body: z.strictObject({
      servers: shownServers,
      code: z.string().optional().describe('What the terminal shows; a page needs it'),
    }),
    answer: s.list(
      z.object({
        server: z.string(),
        problem: z.string().optional().describe('Why it was not accepted'),
        scripts: z.array(z.string()).optional().describe('Install scripts to see first; it was not accepted yet'),
      }),
    ),
    async handle({ servers, code = '' }, { host, codes }, { isPage }) {
      if (isPage && !codes.spendForAll(servers, code)) throw wrongCode()
      const items = servers.map(async ({ server: name, commandHash: seen }) => {
        try {
          const { server, now } = await asShown(host, name, seen)
          const scripts = await host.accept(server, now).then(() => [], scriptsToSee)
          return { server: name, ...(scripts.length > 0 && { scripts: [...scripts] }) }
        } catch (error) {
          return { server: name, problem: error instanceof Error ? error.message : String(error) }
        }
      })
      return { items: await Promise.all(items) }
    },
  }),
  makeAcceptServersCode: route({
    method: 'POST',
    path: '/api/accept-code',
    needs: 'person',
    says: 'Shows one code in the terminal with which a page can accept the servers that it shows',
    body: z.strictObject({ servers: shownServers }),
    answer: z.object({ expiresAt: z.number() }),
    async handle({ servers }, { host, showCode, codes }) {
      for (const { server, commandHash: seen } of servers) await asShown(host, server, seen)
      if (!showCode) throw noTerminal('run "trunkline accept --all" in a terminal; it shows the same commands')
      const made = codes.makeForAll(servers)
      showCode(made)
      return { expiresAt: made.expiresAt }
    },
  }),
  acceptCodes: route({
    method: 'GET',
    path: '/api/accept-codes',
    needs: 'terminal',
    says: 'The codes with which pages can accept servers; for the command alone',
    answer: s.list(z.object({ server: z.string(), code: z.string(), expiresAt: z.number() })),
    handle: (_input, { codes }) => ({ items: [...codes.open] }),
  }),
  trust: route({
    method: 'POST',
    path: '/api/servers/{server}/trust',
    needs: 'person',
    says: 'Asks nothing about a server for a while, but what destroys',
    body: z.strictObject({ minutes: z.number().int().min(1).max(480), client: z.string().optional() }),
    answer: z.object({ clients: z.array(z.string()) }),
    async handle({ server, minutes, client }, { host }, context) {
      const name = serverNameOf(specNamed(host, server).name)
      const clients = host.principals.all().filter(({ name }) => client === undefined || name === client)
      if (clients.length === 0)
        throw new ApiError(404, `There is no client "${client}"; "trunkline clients" lists them`)
      const whom = clients.map((one) => one.name)
      const why = `for ${minutes} minutes, for ${whom.join(', ')}`
      await recordChange(host, context, { server: name, outcome: 'trusted', why })
      const all = { project: '*', server: name, target: '*', definition: '*' }
      const scopes = clients.map(({ id }) => ({ principalId: id, ...all }))
      await host.grants.grant(scopes, { holdsMs: minutes * 60_000, isLocal: true, choice: 'trust' })
      return { clients: whom }
    },
  }),
}

/** A sandbox that leaves a server what its tools say they touch; undefined for a server that has one. */
export function sandboxProposal({ catalogue }: Host, { name, launch }: ServerSpec): string | undefined {
  const isOpen = launch.kind === 'program' && launch.sandbox === undefined
  return isOpen ? proposedSandbox(catalogue.entries(name)) : undefined
}

/** Install scripts that a person has to see first are an answer; everything else is a failure. */
function scriptsToSee(error: unknown): readonly string[] {
  if (error instanceof InstallScriptsError) return error.scripts
  throw error
}

/** A server that would still run what a person saw; answers 409 for another. */
async function asShown(host: Host, name: string, seen: string) {
  const { server, seen: now, accepted } = await acceptable(host, name)
  if (seen !== now && seen !== accepted) {
    throw new ApiError(409, `Cannot accept server "${name}": what it would run changed meanwhile; look at it again`)
  }
  return { server, now }
}

function wrongCode(): ApiError {
  return new ApiError(403, 'This is not the code that the terminal shows, or it is too old; make another')
}

function noTerminal(instead: string): ApiError {
  return new ApiError(409, `This host has no terminal that could show a code: ${instead}`)
}

/** A server that can be accepted, with the hash to accept, and the hash of its command if it is accepted already. */
async function acceptable(host: Host, name: string) {
  const { launch, name: server } = specNamed(host, name)
  if (launch.kind === 'unresolved') throw new ApiError(409, `Cannot accept server "${name}": ${launch.needs}`)
  const { seen, isAccepted } = (await host.acceptance.seen(server)) ?? { seen: '', isAccepted: false }
  return { server, seen, accepted: isAccepted ? commandHash(launch) : undefined }
}
