import { type Document, isTable, type Path, type Table, type Value, valueAt } from '../config/document/document.ts'
import { type ServerEntry, serverEntry } from '../config/schema/server-entry.ts'
import { type ClientFormat, type FoundInput, together } from './client-format.ts'
import { mapTexts, withoutSecrets } from './references.ts'

/** `server.json` of the MCP registry: packages to run, and addresses, all unverified. */
export const registryFormat: ClientFormat = {
  id: 'registry',
  syntax: 'json',
  read(document) {
    const name = valueAt(document.value, ['name'])
    const ways = [...waysIn(document, 'packages', packageEntry), ...waysIn(document, 'remotes', remoteEntry)]
    const first = ways.find(({ entry }) => entry !== undefined)
    const place = { file: document.file, line: document.lineOf([]) }
    if (typeof name !== 'string' || first?.entry === undefined) {
      return together({
        left: [{ ...place, key: '', problem: 'names no package or address that can be used', fix: 'it is left out' }],
      })
    }
    const left = ways
      .filter((way) => way !== first)
      .map(({ path, entry }) => ({
        file: document.file,
        line: document.lineOf(path),
        key: path.join('.'),
        problem: entry ? 'is another way to reach the server' : 'is of a kind that cannot be used here',
        fix: entry ? 'write it yourself if you want that one' : 'it is left out',
      }))
    const server = { name: name.split('/').at(-1) ?? name, entry: first.entry, place }
    return together({ servers: [server], inputs: first.inputs, left })
  },
}

interface Way {
  readonly path: Path
  /** Undefined for a kind of package or address that cannot be used. */
  readonly entry: ServerEntry | undefined
  readonly inputs: readonly FoundInput[]
}

function waysIn(document: Document, key: string, read: (table: Table, ask: Ask) => ServerEntry | undefined): Way[] {
  const list = valueAt(document.value, [key])
  if (!Array.isArray(list)) return []
  return list.map((item: Value, at) => {
    const inputs: FoundInput[] = []
    const place = { file: document.file, line: document.lineOf([key, at]) }
    const ask: Ask = (id, about) => {
      const description = textOf(about, 'description') ?? id
      if (!inputs.some((input) => input.id === id))
        inputs.push({ id, description, password: about.isSecret === true, place })
      return `\${input:${id}}`
    }
    const entry = isTable(item) ? read(item, ask) : undefined
    const isUsable = entry !== undefined && isFit(entry)
    return { path: [key, at], entry: isUsable ? mapTexts(entry, withoutSecrets) : undefined, inputs }
  })
}

function isFit(entry: ServerEntry): boolean {
  let fits = true
  serverEntry.check(entry as Table, [], () => {
    fits = false
  })
  return fits
}

/** Notes that a person has to be asked for something, and gives the reference to it. */
type Ask = (id: string, about: Table) => string

function packageEntry(item: Table, ask: Ask): ServerEntry | undefined {
  const kind = textOf(item, 'registryType') ?? ''
  const identifier = textOf(item, 'identifier')
  const transport = isTable(item.transport) ? textOf(item.transport, 'type') : 'stdio'
  if (identifier === undefined || transport !== 'stdio' || !Object.hasOwn(programs, kind)) return undefined
  const env = valuesOf(item.environmentVariables, ask)
  const version = textOf(item, 'version')
  const before = argumentsOf(item.runtimeArguments, ask)
  const [command = '', ...args] = programs[kind]?.({ identifier, version, before, variables: Object.keys(env) }) ?? []
  return {
    command,
    args: [...args, ...argumentsOf(item.packageArguments, ask)],
    ...(Object.keys(env).length > 0 && { env }),
  }
}

interface Package {
  readonly identifier: string
  readonly version: string | undefined
  readonly before: readonly string[]
  readonly variables: readonly string[]
}

/** Commands that run a package, by its kind. */
const programs: { readonly [kind: string]: (one: Package) => readonly string[] } = {
  npm: ({ identifier, version, before }) => [
    'npx',
    '-y',
    ...before.filter((one) => one !== '-y'),
    joined(identifier, '@', version),
  ],
  pypi: ({ identifier, version, before }) => ['uvx', ...before, joined(identifier, '==', version)],
  nuget: ({ identifier, version, before }) => ['dnx', ...before, joined(identifier, '@', version), '--yes'],
  oci: ({ identifier, version, before, variables }) => [
    ...['docker', 'run', '-i', '--rm', ...variables.flatMap((name) => ['-e', name]), ...before],
    /[:@][^/]*$/.test(identifier) ? identifier : joined(identifier, ':', version),
  ],
}

function remoteEntry(item: Table, ask: Ask): ServerEntry | undefined {
  const url = textOf(item, 'url')
  if (url === undefined || !/^https?:\/\//.test(url)) return undefined
  const headers = valuesOf(item.headers, ask)
  return {
    ...(item.type === 'sse' && { type: 'sse' }),
    url: filled(url, item.variables, ask),
    ...(Object.keys(headers).length > 0 && { headers }),
  }
}

/** Variables and headers that have a value, or that a person must give. */
function valuesOf(list: Value | undefined, ask: Ask): { readonly [name: string]: string } {
  if (!Array.isArray(list)) return {}
  const entries = list.filter(isTable).flatMap((item) => {
    const name = textOf(item, 'name')
    const value = valueFor(item, name ?? '', ask)
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

function argumentsOf(list: Value | undefined, ask: Ask): string[] {
  if (!Array.isArray(list)) return []
  return list.filter(isTable).flatMap((item) => {
    const name = textOf(item, 'name')
    const value = valueFor(item, name ?? textOf(item, 'valueHint') ?? 'argument', ask)
    if (item.type === 'named')
      return name === undefined ? [] : value === undefined ? (item.isRequired === true ? [name] : []) : [name, value]
    return value === undefined ? [] : [value]
  })
}

function valueFor(item: Table, id: string, ask: Ask): string | undefined {
  const value = textOf(item, 'value')
  if (value !== undefined) return filled(value, item.variables, ask)
  const usual = textOf(item, 'default')
  if (usual !== undefined && item.isSecret !== true) return usual
  return item.isRequired === true || item.isSecret === true ? ask(id.replace(/^-+/, ''), item) : undefined
}

/** `{name}` in a text stands for a variable that is described beside it. */
function filled(text: string, variables: Value | undefined, ask: Ask): string {
  return text.replaceAll(/\{([A-Za-z0-9_.-]+)\}/g, (whole, id) => {
    const about = isTable(variables) && isTable(variables[id]) ? variables[id] : undefined
    return about === undefined ? whole : (textOf(about, 'default') ?? ask(id, about))
  })
}

function joined(identifier: string, separator: string, version: string | undefined): string {
  return version === undefined || version === '' ? identifier : `${identifier}${separator}${version}`
}

function textOf(table: Table, key: string): string | undefined {
  const value = Object.hasOwn(table, key) ? table[key] : undefined
  return typeof value === 'string' ? value : undefined
}
