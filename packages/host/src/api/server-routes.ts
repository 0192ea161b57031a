import type { Client } from '@trunkline/mcp'
import { z } from 'zod'
import { serverNameOf } from '../act/server-key.ts'
import type { Host } from '../assembly/host.ts'
import { commandHash, showLaunch } from '../servers/launch.ts'
import { processesOf } from '../servers/process-memory.ts'
import { whatItMay } from '../servers/sandbox/sandbox.ts'
import { missingInWords, type ServerSpec } from '../servers/server-spec.ts'
import type { UpstreamStatus } from '../servers/upstream-status.ts'
import type { ServerFailure } from '../store/tables/accepted-server-table.ts'
import { sandboxProposal } from './accept-routes.ts'
import { ApiError } from './api-error.ts'
import { done, route } from './route.ts'
import * as s from './schemas.ts'
import { specNamed, upstreamNamed } from './server-named.ts'
import { type RecentCalls, recentCalls, tokensOfEntry } from './shown-entry.ts'

type ServerDetail = z.output<typeof s.serverDetail>

const processInfo = z.object({
  pid: z.number(),
  parent: z.number(),
  command: z.string(),
  bytes: z.number().describe('Resident memory'),
})

/** Routes of servers: their state, their processes, and signing in to them. */
export const serverRoutes = {
  servers: route({
    method: 'GET',
    path: '/api/servers',
    needs: 'nothing',
    says: 'Every configured server, and those that are disabled',
    answer: s.serverList,
    handle: async (_input, { host, configured }) => {
      const counted = recentCalls(host.store)
      const items = await Promise.all(host.specs.map((spec) => summary(spec, host, counted)))
      return { items, disabled: [...configured().disabled] }
    },
  }),
  server: route({
    method: 'GET',
    path: '/api/servers/{server}',
    needs: 'nothing',
    says: 'What a server that runs says of itself',
    answer: s.serverDetail,
    handle: async ({ server }, { host }) => {
      const spec = specNamed(host, server)
      // the rest is read after this, which takes a while: a server may be ready meanwhile, and its page knows
      const { differences = [] } = (await host.acceptance.seen(spec.name)) ?? {}
      const proposes = sandboxProposal(host, spec)
      const { connection, unusable } = upstreamNamed(host, server)
      return {
        ...detailOf(connection),
        ...{ unusable: [...unusable], differences: [...differences], ...installedOf(spec, host) },
        ...(proposes !== undefined && { proposes }),
      }
    },
  }),
  log: route({
    method: 'GET',
    path: '/api/servers/{server}/log',
    needs: 'nothing',
    says: 'The last lines of a server: its stderr, its log messages, and notes of the host',
    answer: s.list(s.logLine),
    handle: ({ server }, { host }) => ({ items: [...upstreamNamed(host, server).log.lines] }),
  }),
  processes: route({
    method: 'GET',
    path: '/api/servers/{server}/processes',
    needs: 'nothing',
    says: 'The processes of a server that runs on this machine',
    answer: z.object({
      items: z.array(processInfo),
      why: z.string().optional().describe('Why it is not known which there are'),
    }),
    handle: async ({ server }, { host }) => {
      const { pid } = upstreamNamed(host, server).status
      if (process.platform === 'win32') return { items: [], why: 'This system does not tell which processes there are' }
      return { items: pid === undefined ? [] : [...(await processesOf(pid))] }
    },
  }),
  restart: route({
    method: 'POST',
    path: '/api/servers/{server}/restart',
    needs: 'nothing',
    says: 'Starts a server anew',
    answer: s.confirmation,
    async handle({ server }, { host }) {
      const found = upstreamNamed(host, server)
      const { launch } = found.spec
      if (launch.kind === 'unresolved') {
        throw new ApiError(409, `Cannot restart server "${server}": ${missingInWords(launch)}`)
      }
      await found.restart()
      return done
    },
  }),
  stop: route({
    method: 'POST',
    path: '/api/servers/{server}/stop',
    needs: 'nothing',
    says: 'Stops a server until it is restarted',
    answer: s.confirmation,
    async handle({ server }, { host }) {
      await upstreamNamed(host, server).stop()
      return done
    },
  }),
  login: route({
    method: 'POST',
    path: '/api/servers/{server}/login',
    needs: 'nothing',
    says: 'Signs in to a server; answers with the page to visit where somebody has to',
    answer: s.signIn,
    async handle({ server }, services) {
      const waiting = await refused(services.host.signIns.signIn(server))
      if (!waiting) return { isSignedIn: true }
      const { page, question } = waiting
      return { isSignedIn: false, page: page.href, host: page.host, question }
    },
  }),
  logout: route({
    method: 'DELETE',
    path: '/api/servers/{server}/login',
    needs: 'person',
    says: 'Forgets the tokens for a server, and ends the connection that used them',
    answer: s.confirmation,
    async handle({ server }, { host }) {
      await refused(host.signIns.signOut(server))
      return done
    },
  }),
}

/** The program that the host installed for a server. */
function installedOf({ name, launch }: ServerSpec, { programs }: Host): Pick<ServerDetail, 'installed'> {
  const started = launch.kind === 'program' ? programs.launchOf(name, launch) : launch
  if (started === launch || started.kind !== 'program') return {}
  return { installed: { command: started.command, args: [...started.args] } }
}

function detailOf(client: Client | undefined): Omit<ServerDetail, 'unusable' | 'differences'> {
  if (!client) return {}
  const { revision, server, capabilities, instructions } = client
  return {
    revision,
    ...(server && { name: server.name, version: server.version }),
    capabilities: { ...capabilities },
    ...(instructions !== undefined && { instructions }),
  }
}

async function summary(spec: ServerSpec, host: Host, calls: RecentCalls): Promise<z.output<typeof s.serverSummary>> {
  const { name: key, launch, source, project } = spec
  const name = serverNameOf(key)
  const status = host.servers.get(key)?.status
  const signIn = host.signIns.page(key)
  const inUse = host.catalogue.entries(key).filter(({ standing }) => standing === 'usable' || standing === 'changed')
  const program = host.programs.labelOf(key)
  const isAccepted = host.isAccepted(key)
  // the files of an accepted one were compared when it was started
  const waiting = isAccepted ? undefined : await host.acceptance.seen(key)
  const { pid, throttled, ...rest } = status ?? { ...unknownStatus, name, pid: undefined, throttled: undefined }
  const acceptedAt = host.catalogue.acceptedAt(key)
  const written = launch.kind === 'unresolved' ? launch.written : undefined
  const data = host.taints.markOf(key)
  return {
    ...rest,
    ...failedBefore(rest, host.catalogue.failure(key)),
    name,
    key,
    ...(project !== undefined && { project }),
    ...(pid !== undefined && { pid }),
    ...(throttled !== undefined && { throttled }),
    isAccepted,
    ...(acceptedAt !== undefined && { acceptedAt }),
    ...(launch.kind === 'unresolved' && { needs: missingInWords(launch) }),
    isRemote: written?.isRemote ?? launch.kind === 'remote',
    command: launch.kind === 'unresolved' ? (written?.command ?? '') : showLaunch(launch),
    commandHash: waiting?.seen ?? (launch.kind === 'unresolved' ? '' : commandHash(launch)),
    ...(waiting && waiting.runs.length > 0 && { runs: [...waiting.runs] }),
    ...(waiting && waiting.differences.length > 0 && { differences: [...waiting.differences] }),
    variables: namesGiven(launch),
    ...(launch.kind === 'program' && { folder: launch.cwd }),
    ...(launch.kind === 'program' && launch.sandbox && { sandbox: whatItMay(launch.sandbox) }),
    ...(data !== undefined && { data }),
    ...(source !== undefined && { source }),
    ...(program !== undefined && { program }),
    tools: inUse.filter(({ kind }) => kind === 'tool').length,
    tokens: inUse.reduce((sum, entry) => sum + tokensOfEntry(entry), 0),
    callsIn30Days: [...(calls.get(name)?.values() ?? [])].reduce((sum, count) => sum + count, 0),
    ...(signIn && { signInAt: signIn.page.host }),
  }
}

function namesGiven(launch: ServerSpec['launch']): string[] {
  if (launch.kind === 'unresolved') return [...(launch.written?.names ?? [])]
  return Object.keys(launch.kind === 'program' ? launch.env : launch.headers).sort()
}

/** State of a server that was not started since it failed, before the host was restarted. */
function failedBefore(
  { state, starts, why }: Pick<UpstreamStatus, 'state' | 'starts' | 'why'>,
  failure: ServerFailure | undefined,
) {
  if (!failure || state !== 'waiting' || starts > 0) return {}
  return { failedAt: failure.at, why: `failed when it ran last: ${failure.why}; now it ${why}` }
}

const unknownStatus = { state: 'waiting', why: 'is being set up', since: 0, starts: 0, waitMs: 0, calls: 0 } as const

/** Answers 409 with the reason if the work fails, which is no fault of the host. */
async function refused<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    throw new ApiError(409, error instanceof Error ? error.message : String(error))
  }
}
