import { readFile } from 'node:fs/promises'
import { dirname, isAbsolute, resolve } from 'node:path'
import type { ServerName } from '../act/server-name.ts'
import type { Path } from './document/document.ts'
import type { ConfiguredServer } from './effective.ts'
import { readEnvFile } from './env-file.ts'
import { Inputs } from './inputs.ts'
import { describeMissing, interpolate, type Missing, type ReferenceLookup } from './interpolate.ts'
import type { Place } from './layers/layer.ts'
import { describeProblem } from './problem.ts'
import type { ServerEntry } from './schema/server-entry.ts'
import type { Secrets } from './secrets/secret-file.ts'
import { secretNamesIn } from './secrets/secret-uses.ts'

/** The program or the URL of a server, with every reference replaced. */
export type ConfiguredLaunch =
  | {
      readonly type: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      /** Variables added to the few that every program gets. */
      readonly env: { readonly [name: string]: string }
      readonly cwd: string | undefined
      /** Paths it may write and network it may reach, with absolute paths. */
      readonly sandbox?: ConfiguredSandbox
    }
  | {
      readonly type: 'http' | 'sse'
      readonly url: string
      readonly headers: { readonly [name: string]: string }
      /** Settings of the sign-in there, as far as configured. */
      readonly oauth?: NonNullable<ServerEntry['oauth']>
    }

/** Confinement of a program. */
export type ConfiguredSandbox = NonNullable<ServerEntry['sandbox']> & { readonly writable: readonly string[] }

/** A server for one project, or for none. */
export interface ResolvedServer {
  readonly name: ServerName
  readonly entry: ServerEntry
  readonly place: Place
  /** Undefined while something is needed. */
  readonly launch: ConfiguredLaunch | undefined
  /** Steps that a person must take first, each with file and line. */
  readonly needs: readonly string[]
  readonly sharing: 'shared' | 'project' | 'caller'
}

/** Sources of the references in an entry. */
export interface ServerContext {
  readonly environment: { readonly [name: string]: string | undefined }
  readonly secrets: Pick<Secrets, 'get'>
  readonly home: string
  /** The directory of the project. */
  readonly workspace: string | undefined
  /** Values that a person is asked for once. @default none is described */
  readonly inputs?: Inputs
}

/** Replaces the references in an entry; one that cannot be replaced is a need, and then nothing is started. */
export async function resolveServer(server: ConfiguredServer, context: ServerContext): Promise<ResolvedServer> {
  const { name, entry, place } = server
  const needs = server.problems.map(describeProblem)
  const secrets = await secretsIn(entry, context.secrets)
  const { inputs = new Inputs() } = context
  const lookup: ReferenceLookup = {
    variable: (variable) => (Object.hasOwn(context.environment, variable) ? context.environment[variable] : undefined),
    input: (id) => inputs.valueOf(id, secrets.get(`input.${id}`)),
    secret: (secret) => secrets.get(secret),
    workspace: context.workspace,
    home: context.home,
  }
  const put = (text: string, path: Path): string => {
    const { text: replaced, missing } = interpolate(text, lookup)
    const { file, line } = server.placeOf(path)
    needs.push(...missing.map((one) => `${described(one, inputs)} (${file}:${line})`))
    return replaced
  }
  const launch = needs.length > 0 ? undefined : await launchOf(server, put, context, needs)
  const started = needs.length > 0 ? undefined : launch
  return { name, entry, place, launch: started, needs: [...new Set(needs)], sharing: sharingOf(server) }
}

function described(missing: Missing, inputs: Inputs): string {
  return missing.kind === 'input' ? inputs.describeMissing(missing.name) : describeMissing(missing)
}

type Put = (text: string, path: Path) => string

async function launchOf(
  server: ConfiguredServer,
  put: Put,
  context: ServerContext,
  needs: string[],
): Promise<ConfiguredLaunch> {
  const { entry } = server
  const tableOf = (key: 'env' | 'headers') =>
    Object.fromEntries(Object.entries(entry[key] ?? {}).map(([name, text]) => [name, put(text, [key, name])]))
  if (entry.url !== undefined) {
    const type = entry.type === 'sse' ? 'sse' : 'http'
    const oauth = entry.oauth && { oauth: oauthOf(entry.oauth, put) }
    return { type, url: put(entry.url, ['url']), headers: tableOf('headers'), ...oauth }
  }
  const base = context.workspace ?? dirname(server.place.file)
  const cwd = entry.cwd === undefined ? undefined : resolve(base, put(entry.cwd, ['cwd']))
  const command = put(entry.command ?? '', ['command'])
  if (commandLine.test(command)) {
    const { file, line } = server.placeOf(['command'])
    needs.push(`command holds a whole command line; write the program alone and its words in "args" (${file}:${line})`)
  }
  const args = (entry.args ?? []).map((text, at) => put(text, ['args', at]))
  const env = tableOf('env')
  const fromFile =
    entry.envFile === undefined ? {} : await envFrom(server, resolve(base, put(entry.envFile, ['envFile'])), needs)
  const writable = (entry.sandbox?.writable ?? []).map((path, at) =>
    resolve(cwd ?? base, put(path, ['sandbox', 'writable', at])),
  )
  const sandbox = entry.sandbox && { sandbox: { ...entry.sandbox, writable } }
  return { type: 'stdio', command, args, env: { ...fromFile, ...env }, cwd, ...sandbox }
}

/** Several words of which the first is no path, so that the rest cannot belong to it. */
const commandLine = /^[^\s/\\]+\s/

type OAuthEntry = NonNullable<ServerEntry['oauth']>

function oauthOf(oauth: OAuthEntry, put: Put): OAuthEntry {
  const texts = (['clientId', 'clientSecret', 'resource'] as const).flatMap((key) => {
    const text = oauth[key]
    return text === undefined ? [] : [[key, put(text, ['oauth', key])] as const]
  })
  return { ...oauth, ...Object.fromEntries(texts) }
}

async function envFrom(
  server: ConfiguredServer,
  path: string,
  needs: string[],
): Promise<{ readonly [name: string]: string }> {
  const { file, line } = server.placeOf(['envFile'])
  try {
    const { values, bad } = readEnvFile(await readFile(path, 'utf8'))
    needs.push(...bad.map((one) => `${path}:${one.line} is no NAME=value (${file}:${line})`))
    return values
  } catch (error) {
    needs.push(`"${path}" cannot be read: ${(error as { code?: string }).code} (${file}:${line})`)
    return {}
  }
}

/** The secrets that an entry refers to, inputs among them. */
async function secretsIn(entry: ServerEntry, secrets: Pick<Secrets, 'get'>): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const name of secretNamesIn(entry)) {
    const value = await secrets.get(name)
    if (value !== undefined) found.set(name, value)
  }
  return found
}

/** A program that lies in a project, or works on one, is not shared between projects unless its entry says so. */
function sharingOf({ entry, place }: ConfiguredServer): ResolvedServer['sharing'] {
  if (entry.sharing !== undefined) return entry.sharing
  if (entry.command === undefined) return 'shared'
  const ofProject = place.layer === 'project' || place.layer === 'local'
  const texts = [
    entry.command,
    ...(entry.args ?? []),
    entry.cwd ?? '',
    entry.envFile ?? '',
    ...Object.values(entry.env ?? {}),
  ]
  const relative = texts.some((text) => /^\.{1,2}(?:$|[\\/])|\$\{(?:workspaceFolder|cwd)/.test(text))
  const inside = entry.cwd !== undefined && !isAbsolute(entry.cwd) && !entry.cwd.startsWith('${')
  return ofProject || relative || inside ? 'project' : 'shared'
}
