import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { serverKey, serverNameOf } from '../act/server-key.ts'
import { isServerName, slugOf } from '../act/server-name.ts'
import { planServerChange, type ServerChange, writtenServer } from '../config/change-server.ts'
import type { Table, Value } from '../config/document/document.ts'
import { FileChangedError, readToEdit, writeFileChange } from '../config/file-change.ts'
import { describeProblem } from '../config/problem.ts'
import { type ServerEntry, serverEntry } from '../config/schema/server-entry.ts'
import { type KeptSecret, secretsApart } from '../config/secrets/keep-apart.ts'
import { maskedIn, unmasked } from '../config/secrets/mask.ts'
import { secretNamesIn } from '../config/secrets/secret-uses.ts'
import type { FileChange } from '../config/undo.ts'
import { ApiError } from './api-error.ts'
import { plannedChange, shownChange } from './planned-change.ts'
import { recordChange } from './record-change.ts'
import { type RouteContext, route } from './route.ts'
import type { ApiServices } from './services.ts'

const entry = z.record(z.string(), z.unknown()).describe('Its entry; stars stand for a secret that is to stay')

const switched = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['disable', 'enable', 'remove']) }),
  z.strictObject({ kind: z.literal('rename'), to: z.string() }),
])

/** Routes that change a server in the person's own file: shown first, and then written exactly as it was shown. */
export const serverChangeRoutes = {
  serverEntry: route({
    method: 'GET',
    path: '/api/servers/{server}/entry',
    needs: 'nothing',
    says: 'The entry of a server as it is written in the own file of the person, with stars for secrets',
    answer: z.object({
      file: z.string(),
      entry: z.record(z.string(), z.unknown()),
      schema: z.record(z.string(), z.unknown()),
    }),
    async handle({ server }, services) {
      const found = await ownServer(services, server)
      return { file: found.file, entry: { ...(maskedIn(found.entry) as Table) }, schema: { ...serverEntry.schema } }
    },
  }),
  planServerChange: route({
    method: 'POST',
    path: '/api/servers/{server}/change/plan',
    needs: 'nothing',
    says: 'What a change to a server would change in which file; nothing is written',
    body: z.strictObject({ change: z.union([switched, z.strictObject({ kind: z.literal('edit'), entry })]) }),
    answer: plannedChange,
    handle: async ({ server, change }, services) => shownChange(await plan(services, server, change)),
  }),
  changeServer: route({
    method: 'POST',
    path: '/api/servers/{server}/change',
    needs: 'person',
    says: 'Disables, enables, renames or removes a server in the own file of the person, exactly as it was shown',
    body: z.strictObject({ change: switched, digest: z.string() }),
    answer: plannedChange,
    handle: ({ server, change, digest }, services, context) => write(services, context, { server, change, digest }),
  }),
  editServer: route({
    method: 'POST',
    path: '/api/servers/{server}/entry',
    needs: 'person',
    says: 'Writes another entry of a server to the own file of the person, exactly as it was shown',
    body: z.strictObject({ entry, digest: z.string() }),
    answer: plannedChange,
    handle: ({ server, entry: next, digest }, services, context) =>
      write(services, context, { server, change: { kind: 'edit', entry: next }, digest }),
  }),
}

type AskedChange = z.output<typeof switched> | { readonly kind: 'edit'; readonly entry: Record<string, unknown> }

interface Plan {
  readonly name: string
  readonly change: ServerChange
  readonly file: FileChange
  readonly says: readonly string[]
  readonly secrets: readonly KeptSecret[]
  /** True if it starts something else from then on, or gives it something else, so that it is accepted anew. */
  readonly isLaunch: boolean
}

async function write(
  services: ApiServices,
  context: RouteContext,
  { server, change, digest }: { readonly server: string; readonly change: AskedChange; readonly digest: string },
): Promise<z.output<typeof plannedChange>> {
  const { host, places, secrets, applyFiles } = services
  const made = await plan(services, server, change)
  const told = shownChange(made)
  if (told.digest !== digest) throw new ApiError(409, new FileChangedError(places.userFile).message)
  for (const { name, value } of made.secrets) await secrets.set(name, value)
  // values are no part of what was accepted, and a page may start nothing that no terminal saw
  if (made.isLaunch && context.isPage) await host.catalogue.withdrawAcceptance(serverKey(made.name))
  await writeFileChange(made.file)
  await recordChange(host, context, { server: made.name, outcome: outcomes[change.kind], why: places.userFile })
  await applyFiles(places.userFile)
  return told
}

const outcomes: { readonly [Kind in AskedChange['kind']]: string } = {
  disable: 'disabled',
  enable: 'enabled',
  remove: 'removed',
  rename: 'renamed',
  edit: 'edited',
}

async function plan(services: ApiServices, server: string, asked: AskedChange): Promise<Plan> {
  const { file, name, entry: before } = await ownServer(services, server)
  const next = asked.kind === 'edit' ? edited(name, asked.entry, before) : { change: asked, secrets: [] }
  if (asked.kind === 'rename') await refuseName(services, asked.to)
  const change = await planServerChange(file, name, next.change)
  if (!change) throw new ApiError(409, new FileChangedError(file).message)
  await refuseMistakes(services, change, asked.kind === 'rename' ? asked.to : name)
  const isLaunch = next.change.kind === 'edit' && launchKeys.some((key) => !isSame(before, next.change, key))
  const says = await consequences(services, { name, before, change: asked, isLaunch })
  return { name, change: next.change, file: change, secrets: next.secrets, says, isLaunch }
}

/** The parts of an entry that a person accepts, with their values. */
const launchKeys = [
  ...['type', 'command', 'args', 'env', 'envFile', 'cwd', 'passNetwork', 'mine', 'sandbox'],
  ...['url', 'headers', 'oauth'],
]

function isSame(before: Table, change: ServerChange, key: string): boolean {
  return change.kind !== 'edit' || isDeepStrictEqual(before[key], (change.entry as Table)[key])
}

/** The entry that a person typed, with the masked secrets back in place and new ones apart. */
function edited(name: string, given: Record<string, unknown>, before: Table) {
  const entry = refusing(() => unmasked(given as Value, before)) as ServerEntry
  const { entry: written, secrets } = secretsApart(name, entry, before)
  return { change: { kind: 'edit', entry: written } as const, secrets }
}

function refusing<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw new ApiError(400, (error as Error).message)
  }
}

async function refuseName({ host, places }: ApiServices, name: string): Promise<void> {
  if (!isServerName(name)) throw new ApiError(400, `Cannot name a server "${name}"; it could be "${slugOf(name)}"`)
  const { value } = await readToEdit(places.userFile)
  if (host.specs.some((spec) => serverNameOf(spec.name) === name) || writtenServer(value, name)) {
    throw new ApiError(409, `There is a server "${name}" already; choose another name`)
  }
}

/** Refuses a text of the file in which the server could not be used. */
async function refuseMistakes({ config }: ApiServices, { file, after }: FileChange, name: string): Promise<void> {
  const { problems } = await config.trial(after)
  const at = `mcpServers.${name}`
  const problem = problems.find((one) => one.file === file && (one.key === at || one.key.startsWith(`${at}.`)))
  if (problem) throw new ApiError(400, `Cannot change "${name}": ${describeProblem(problem)}`)
}

/** A server of the person's own file; answers 409 for one that is configured elsewhere, 404 for none. */
async function ownServer({ config, directory, places }: ApiServices, server: string) {
  const { userFile: file } = places
  const name = serverNameOf(server)
  const found = writtenServer((await readToEdit(file)).value, name)
  if (found && name === server) return { file, name, entry: found.entry }
  const elsewhere = (await config.effective(directory)).servers.find((one) => one.name === name)
  if (!elsewhere) throw new ApiError(404, `There is no server "${name}" in "${file}"`)
  throw new ApiError(
    409,
    `Cannot change "${name}" here: it is configured in "${elsewhere.place.file}"; change it there`,
  )
}

interface Consequence {
  readonly name: string
  readonly before: Table
  readonly change: AskedChange
  readonly isLaunch: boolean
}

/** Consequences of a change besides the text of the file, in sentences. */
async function consequences(
  { config, directory }: ApiServices,
  { name, before, change, isLaunch }: Consequence,
): Promise<readonly string[]> {
  if (change.kind === 'disable') return ['It is stopped and no longer offered. Its acceptance and its rules are kept.']
  if (change.kind === 'enable') return ['It is offered again. What you accepted of it still counts.']
  if (change.kind === 'edit') {
    return isLaunch ? ['It is stopped, and starts when you have accepted it again.'] : ['It is restarted if need be.']
  }
  const { rules } = await config.effective(directory)
  const about = rules.filter(({ rule }) => patternOf(rule).startsWith(`${name}:`))
  const lost = about.map(({ effect, rule, source }) => {
    return `The rule "${effect} ${patternOf(rule)}" in ${source.file}:${source.line} matches nothing any more.`
  })
  if (change.kind === 'rename') {
    return [`It is stopped, and starts under its new name when you have accepted it there.`, ...lost]
  }
  const secrets = secretNamesIn(before)
  const kept = secrets.length === 0 ? [] : [`Its secrets are kept until you remove them: ${secrets.join(', ')}.`]
  return ['It is stopped and no longer offered.', ...kept, ...lost]
}

function patternOf(rule: Value): string {
  const text = typeof rule === 'object' && rule !== null && 'match' in rule ? rule.match : rule
  return typeof text === 'string' ? text.trim() : ''
}
