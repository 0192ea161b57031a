import type { Client } from '@trunkline/mcp'
import { nearName } from '@trunkline/mcp/json-schema'
import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import { proposedSandbox } from '../catalogue/effects.ts'
import type { Entry } from '../catalogue/entry.ts'
import { callsSince } from '../ledger/query.ts'
import { commandHash, showLaunch } from '../servers/launch.ts'
import { processesOf } from '../servers/process-memory.ts'
import { InstallScriptsError } from '../servers/programs/install-scripts.ts'
import { whatItMay } from '../servers/sandbox/sandbox.ts'
import { missingInWords, type ServerSpec } from '../servers/server-spec.ts'
import { AcceptCodes } from './accept-codes.ts'
import { ApiError } from './api-error.ts'
import { done, type Handlers } from './handlers.ts'
import type { ApiParts } from './parts.ts'
import { recordChange } from './record-change.ts'
import type { RouteAnswer } from './routes.ts'
import { estimatedTokens, tokensOfText } from './token-estimate.ts'

type Calls = ReturnType<typeof callsSince>

const monthMs = 30 * 24 * 3_600_000

/** Handlers of servers and their offers. */
export function serverHandlers(
  parts: ApiParts,
): Pick<
  Handlers,
  | 'servers'
  | 'server'
  | 'log'
  | 'processes'
  | 'acceptServer'
  | 'makeAcceptCode'
  | 'acceptCodes'
  | 'restart'
  | 'stop'
  | 'trust'
  | 'catalogue'
  | 'changeEntry'
> {
  const { catalogue, servers, store } = parts
  const codes = new AcceptCodes()
  const calls = () => callsSince(store, Date.now() - monthMs)
  const entriesOf = (server: ServerKey, counted: Calls) =>
    catalogue.entries(server).map((entry) => shown(entry, counted))
  const proposal = ({ name, launch }: ServerSpec) =>
    launch.kind === 'program' && launch.sandbox === undefined ? proposedSandbox(catalogue.entries(name)) : undefined
  return {
    servers: async () => {
      const counted = calls()
      const items = await Promise.all(parts.specs().map((spec) => summary(spec, parts, counted)))
      return { items, disabled: [...parts.configured().disabled] }
    },
    log: ({ server }) => ({ items: [...upstream(parts, server).log.lines] }),
    processes: async ({ server }) => {
      const { pid } = upstream(parts, server).status
      if (process.platform !== 'linux') return { items: [], why: 'This system does not tell which processes there are' }
      return { items: pid === undefined ? [] : [...(await processesOf(pid))] }
    },
    server: async ({ server }) => {
      const spec = specNamed(parts, server)
      const proposes = proposal(spec)
      const { connection, unusable } = upstream(parts, server)
      const { differences = [] } = (await parts.seen(spec.name)) ?? {}
      return {
        ...detailOf(connection),
        ...{ unusable: [...unusable], differences: [...differences], ...installedOf(spec, parts) },
        ...(proposes !== undefined && { proposes }),
      }
    },
    async makeAcceptCode({ server: name }) {
      const { server, seen } = await acceptable(parts, name)
      const made = codes.make(server, seen)
      parts.showCode(made)
      return { expiresAt: made.expiresAt }
    },
    acceptCodes: () => ({ items: [...codes.open] }),
    async acceptServer({ server: name, commandHash: seen, code = '' }, { isPage }) {
      const { server, seen: now, accepted } = await acceptable(parts, name)
      if (seen !== now && seen !== accepted) {
        throw new ApiError(409, `Cannot accept server "${name}": what it would run changed meanwhile; look at it again`)
      }
      if (isPage && !codes.spend(server, now, code)) {
        throw new ApiError(403, 'This is not the code that the terminal shows, or it is too old; make another')
      }
      const scripts = await parts.accept(server, now).then(() => [], scriptsToSee)
      if (scripts.length > 0) return { setAside: [], scripts: [...scripts] }
      const proposes = proposal(specNamed(parts, server))
      return {
        setAside: entriesOf(server, calls()).filter(({ standing }) => standing !== 'usable'),
        ...(proposes !== undefined && { proposes }),
      }
    },
    async restart({ server }) {
      const found = upstream(parts, server)
      const { launch } = found.spec
      if (launch.kind === 'unresolved') {
        throw new ApiError(409, `Cannot restart server "${server}": ${missingInWords(launch)}`)
      }
      await found.restart()
      return done
    },
    async stop({ server }) {
      await upstream(parts, server).stop()
      return done
    },
    async trust({ server, minutes, client }, context) {
      const name = serverNameOf(specNamed(parts, server).name)
      const clients = parts.principals.all().filter(({ name }) => client === undefined || name === client)
      if (clients.length === 0)
        throw new ApiError(404, `There is no client "${client}"; "trunkline clients" lists them`)
      const whom = clients.map((one) => one.name)
      const why = `for ${minutes} minutes, for ${whom.join(', ')}`
      await recordChange(parts, context, { server: name, outcome: 'trusted', why })
      const all = { project: '*', server: name, target: '*', definition: '*' }
      const scopes = clients.map(({ id }) => ({ principalId: id, ...all }))
      await parts.grants.grant(scopes, { holdsMs: minutes * 60_000, isLocal: true, choice: 'trust' })
      return { clients: whom }
    },
    catalogue: () => {
      const counted = calls()
      return { items: parts.specs().flatMap(({ name }) => entriesOf(name, counted)) }
    },
    async changeEntry({ server: name, tool, class: decided, isHidden }, context) {
      const server = specNamed(parts, name).name
      const entry = catalogue.find(server, 'tool', tool)
      if (!entry) throw new ApiError(404, `There is no tool "${tool}" of server "${name}"`)
      const about = { server: serverNameOf(server), target: tool, definition: entry.hash }
      if (decided !== undefined) {
        await recordChange(parts, context, { ...about, outcome: decided, why: `its class was ${entry.class}` })
        await catalogue.classify(server, tool, decided)
      }
      if (isHidden !== undefined) {
        await recordChange(parts, context, { ...about, outcome: isHidden ? 'hidden' : 'shown' })
        await catalogue.hide(server, 'tool', tool, isHidden)
      }
      return done
    },
  }

  function upstream(all: ApiParts, name: string) {
    const { name: key } = specNamed(all, name)
    const found = servers.get(key)
    if (!found) throw unknownServer(name, all.specs())
    return found
  }
}

/** Install scripts that a person has to see first are an answer; everything else is a failure. */
function scriptsToSee(error: unknown): readonly string[] {
  if (error instanceof InstallScriptsError) return error.scripts
  throw error
}

/** The program that the host installed for a server. */
function installedOf({ name, launch }: ServerSpec, { programs }: ApiParts): Pick<RouteAnswer<'server'>, 'installed'> {
  const started = launch.kind === 'program' ? programs.launchOf(name, launch) : launch
  if (started === launch || started.kind !== 'program') return {}
  return { installed: { command: started.command, args: [...started.args] } }
}

function detailOf(client: Client | undefined): Omit<RouteAnswer<'server'>, 'unusable' | 'differences'> {
  if (!client) return {}
  const { revision, server, capabilities, instructions } = client
  return {
    revision,
    ...(server && { name: server.name, version: server.version }),
    capabilities: { ...capabilities },
    ...(instructions !== undefined && { instructions }),
  }
}

/** A server that can be accepted, with the hash to accept, and the hash of its command if it is accepted already. */
async function acceptable(parts: ApiParts, name: string) {
  const { launch, name: server } = specNamed(parts, name)
  if (launch.kind === 'unresolved') throw new ApiError(409, `Cannot accept server "${name}": ${launch.needs}`)
  const { seen, isAccepted } = (await parts.seen(server)) ?? { seen: '', isAccepted: false }
  return { server, seen, accepted: isAccepted ? commandHash(launch) : undefined }
}

async function summary(
  spec: ServerSpec,
  parts: ApiParts,
  calls: Calls,
): Promise<RouteAnswer<'servers'>['items'][number]> {
  const { name: key, launch, source, project } = spec
  const name = serverNameOf(key)
  const status = parts.servers.get(key)?.status
  const signIn = parts.signInPage(key)
  const inUse = parts.catalogue.entries(key).filter(({ standing }) => standing === 'usable' || standing === 'changed')
  const program = parts.programs.labelOf(key)
  const isAccepted = parts.isAccepted(key)
  // the files of an accepted one were compared when it was started
  const waiting = isAccepted ? undefined : await parts.seen(key)
  const { pid, throttled, ...rest } = status ?? { ...unknownStatus, name, pid: undefined, throttled: undefined }
  return {
    ...rest,
    name,
    key,
    ...(project !== undefined && { project }),
    ...(pid !== undefined && { pid }),
    ...(throttled !== undefined && { throttled }),
    isAccepted,
    command: launch.kind === 'unresolved' ? '' : showLaunch(launch),
    commandHash: waiting?.seen ?? (launch.kind === 'unresolved' ? '' : commandHash(launch)),
    ...(waiting && waiting.runs.length > 0 && { runs: [...waiting.runs] }),
    ...(waiting && waiting.differences.length > 0 && { differences: [...waiting.differences] }),
    variables: namesGiven(launch),
    ...(launch.kind === 'program' && { folder: launch.cwd }),
    ...(launch.kind === 'program' && launch.sandbox && { sandbox: whatItMay(launch.sandbox) }),
    ...(source !== undefined && { source }),
    ...(program !== undefined && { program }),
    tools: inUse.filter(({ kind }) => kind === 'tool').length,
    tokens: inUse.reduce((sum, entry) => sum + tokensOf(entry), 0),
    callsIn30Days: [...(calls.get(name)?.values() ?? [])].reduce((sum, count) => sum + count, 0),
    ...(signIn && { signInAt: signIn.page.host }),
  }
}

function namesGiven(launch: ServerSpec['launch']): string[] {
  if (launch.kind === 'unresolved') return []
  return Object.keys(launch.kind === 'program' ? launch.env : launch.headers).sort()
}

const unknownStatus = { state: 'waiting', why: 'is being set up', since: 0, starts: 0, waitMs: 0, calls: 0 } as const

/** Tokens that every conversation pays: of a tool with its name in the aggregate, which is longer than its own. */
function tokensOf({ kind, name, definition }: Entry): number {
  if (kind === 'instructions') return tokensOfText(String(definition.text))
  return kind === 'tool' ? estimatedTokens({ ...definition, name }) : 0
}

function shown(entry: Entry, calls: Calls): RouteAnswer<'catalogue'>['items'][number] {
  const server = serverNameOf(entry.server)
  return {
    ...entry,
    server,
    tokens: tokensOf(entry),
    callsIn30Days: calls.get(server)?.get(entry.original) ?? 0,
  }
}

function specNamed({ specs, keyOf }: ApiParts, name: string): ServerSpec {
  const all = specs()
  if (!all.some((spec) => spec.name === name || serverNameOf(spec.name) === name)) throw unknownServer(name, all)
  try {
    const key = keyOf(name)
    return all.find((spec) => spec.name === key) as ServerSpec
  } catch (error) {
    throw new ApiError(409, (error as Error).message)
  }
}

function unknownServer(name: string, specs: readonly ServerSpec[]): ApiError {
  const names = specs.map((spec) => serverNameOf(spec.name))
  const near = nearName(name, names)
  if (near !== undefined) return new ApiError(404, `There is no server "${name}"; did you mean "${near}"?`)
  const known = names.map((one) => `"${one}"`).join(', ')
  return new ApiError(
    404,
    `There is no server "${name}"; ${known === '' ? 'none is configured' : `there are ${known}`}`,
  )
}
