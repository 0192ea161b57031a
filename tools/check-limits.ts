/** Fails when `docs/limits.md` and the limits in the code differ, or when a limit is not named as limits are. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type File, packageSources, readFiles, root } from './lib/files.ts'
import { lineAt, type Problem, report } from './lib/problem.ts'

const guide = 'docs/limits.md'

/** The defaults of one interface of limits, and where both are written down. */
export interface Declared {
  readonly path: string
  readonly type: string
  /** The interfaces it extends; what stands in their sections need not stand in its own. */
  readonly bases: readonly string[]
  readonly limits: { readonly [name: string]: number }
}

/** One row of a table in the guide. */
interface Row {
  readonly type: string
  readonly name: string
  readonly value: number
  readonly line: number
}

/** Compares what the code declares with the tables of the guide, both ways. */
export function checkLimits(declared: readonly Declared[], { path, text }: File): Problem[] {
  const rows = rowsOf(text)
  const types = new Set(rows.map(({ type }) => type))
  return [
    ...declared.flatMap(({ type, bases, limits, path: source }) => [
      ...Object.keys(limits)
        .filter((name) => !/^max[A-Z]/.test(name))
        .map((name) => ({ path: source, message: `"${name}" of ${type} must begin with "max"` })),
      ...(types.has(type) || isPart(type, declared, types) ? [] : [{ path, message: `Missing a section for ${type}` }]),
      ...(types.has(type) ? compare({ type, bases, limits }, { path, rows }) : []),
    ]),
    ...rows
      .filter(({ type }) => !declared.some((one) => one.type === type))
      .map(({ type, line }) => ({ path, line, message: `No interface of limits is called ${type}` })),
  ]
}

/** True if the section of a type that extends this one describes it completely. */
function isPart(type: string, declared: readonly Declared[], sections: ReadonlySet<string>): boolean {
  const heirs = declared.filter(({ bases }) => bases.includes(type))
  return heirs.some((heir) => sections.has(heir.type) || isPart(heir.type, declared, sections))
}

function compare(
  { type, bases, limits }: Omit<Declared, 'path'>,
  { path, rows: all }: { path: string; rows: readonly Row[] },
): Problem[] {
  const rows = all.filter((row) => row.type === type)
  const covered = all.filter((row) => row.type === type || bases.includes(row.type))
  return [
    ...Object.keys(limits)
      .filter((name) => !covered.some((row) => row.name === name))
      .map((name) => ({ path, message: `Missing "${name}" in the section of ${type}` })),
    ...rows.flatMap(({ name, value, line }) => {
      const limit = limits[name]
      if (limit === undefined) return [{ path, line, message: `${type} has no "${name}"` }]
      return limit === value ? [] : [{ path, line, message: `The default of "${name}" is ${limit}, not ${value}` }]
    }),
  ]
}

/** The rows of the guide, each under the heading that names its interface: `## Over stdio (`StdioLimits`)`. */
function rowsOf(text: string): Row[] {
  const marks = text.matchAll(/^## .*\(`(?<type>\w+)`\)$|^\| `(?<name>\w+)` +\| (?<value>[\d ]+)/gm)
  let type = ''
  return [...marks].flatMap(({ groups = {}, index }) => {
    if (groups.type !== undefined) type = groups.type
    if (groups.name === undefined) return []
    const value = Number((groups.value ?? '').replaceAll(' ', ''))
    return [{ type, name: groups.name, value, line: lineAt(text, index) }]
  })
}

/** Finds rows about constants of the host that say another value than the code. */
export function checkConstants({ path, text }: File, sources: readonly File[]): Problem[] {
  const rows = text.matchAll(
    /^\| [^|`]+ \| (?<value>\d[\d ]*?)(?: \(.*?\))? \| .* \| `(?<file>[\w/.-]+)` `(?<name>\w+)` \|$/gm,
  )
  return [...rows].flatMap(({ groups: { value = '', file = '', name = '' } = {}, index }) => {
    const source = sources.find((one) => one.path === `packages/host/src/${file}`)
    const written = source?.text.match(new RegExp(`\\b${name}(?: =|:) ([\\d_]+(?: \\*+ [\\d_]+)*)`))?.[1]
    if (written !== undefined && numberOf(written) === Number(value.replaceAll(' ', ''))) return []
    return [
      { path, line: lineAt(text, index), message: `"${name}" of "${file}" is ${written ?? 'not there'}, not ${value}` },
    ]
  })
}

/** The value of a number, or of numbers that are multiplied, as in `8 * 1024 ** 2`. */
function numberOf(written: string): number {
  return written
    .replaceAll('_', '')
    .split(' * ')
    .map((factor) => factor.split(' ** ').map(Number))
    .reduce((product, [base = Number.NaN, power = 1]) => product * base ** power, 1)
}

/** Finds members whose doc comment says another default than the constant beside it has. */
export function checkComments(declared: readonly Declared[], files: readonly File[]): Problem[] {
  return files.flatMap(({ path, text }) =>
    declared
      .filter((one) => one.path === path)
      .flatMap(({ type, limits }) =>
        [...bodyOf(text, type).matchAll(/\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s+readonly (\w+)\??: number/g)].flatMap(
          ([comment, name = '']) => {
            const said = comment.match(/@default ([\d_]+)/)?.[1]?.replaceAll('_', '')
            const isTrue = said === String(limits[name])
            return isTrue ? [] : [{ path, message: `"${name}" of ${type} must say @default ${limits[name]}` }]
          },
        ),
      ),
  )
}

function bodyOf(text: string, type: string): string {
  return text.match(new RegExp(`^export interface ${type}\\b[^{]*\\{([^}]*)`, 'm'))?.[1] ?? ''
}

/** Every interface of limits that users can name, with the constant of the same name; one that only joins others has none. */
async function readDeclared(files: readonly File[], exported: string): Promise<Declared[]> {
  const names = new Set([...exported.matchAll(/ (\w+Limits) \(type\)$/gm)].map(([, name = '']) => name))
  const declared: Declared[] = []
  for (const { path, text } of files) {
    for (const [, type = '', heads = ''] of text.matchAll(/^export interface (\w+Limits)\b([^{]*)/gm)) {
      if (!names.has(type)) continue
      const module: { [name: string]: unknown } = await import(pathToFileURL(join(root, path)).href)
      const limits = module[type[0]?.toLowerCase() + type.slice(1)]
      const bases = heads.match(/\w+Limits/g) ?? []
      if (limits !== undefined) declared.push({ path, type, bases, limits: limits as Declared['limits'] })
    }
  }
  return declared.map((one) => ({ ...one, bases: withTheirBases(one.bases, declared) }))
}

function withTheirBases(bases: readonly string[], declared: readonly Declared[]): readonly string[] {
  const own = declared.filter(({ type }) => bases.includes(type))
  return [...bases, ...own.flatMap((base) => withTheirBases(base.bases, declared))]
}

if (import.meta.main) {
  const files = readFiles(packageSources)
  const exported = readFiles('packages/*/exports.txt')
  const declared = await readDeclared(files, exported.map(({ text }) => text).join('\n'))
  const [prose = { path: guide, text: '' }] = readFiles(guide)
  const count = declared.reduce((sum, { limits }) => sum + Object.keys(limits).length, 0)
  const problems = [...checkLimits(declared, prose), ...checkConstants(prose, files), ...checkComments(declared, files)]
  report(problems, `${count} limits documented`)
}
