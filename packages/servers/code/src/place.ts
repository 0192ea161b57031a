import type { Context } from '@trunkline/mcp'
import { nearestNames, ToolProblem } from '@trunkline/server-kit/tool-problem'
import type { Position } from 'vscode-languageserver-types'
import { openAny, type Project } from './project.ts'
import { allowedOf, type CodeSetup, type OpenedFile, openFile, projectAt } from './setup.ts'
import { type CodeSymbol, documentSymbols, searchSymbols } from './symbols.ts'
import { readTextFile } from './text-files.ts'

/** Arguments that name a place in code, as properties of a JSON Schema. */
export const placeArguments = {
  path: { type: 'string' },
  line: { type: 'integer', minimum: 1 },
  name: { type: 'string', minLength: 1, description: 'The name on that line' },
  symbol: { type: 'string', minLength: 1, description: 'Class.method, instead of line and name' },
} as const

/** A place as a caller names it. */
export interface GivenPlace {
  readonly path?: string | undefined
  readonly line?: number | undefined
  readonly name?: string | undefined
  readonly symbol?: string | undefined
}

/** A place in an open file. */
export interface Place extends OpenedFile {
  readonly position: Position
  readonly name: string
  /** The symbol that stands there; undefined where a line was given. */
  readonly symbol?: CodeSymbol
}

/** Files in which a symbol is looked for closely. */
const maxFilesOfSymbol = 10

/** Finds the one place that a caller names. */
export async function onePlace(setup: CodeSetup, ctx: Context, given: GivenPlace): Promise<Place> {
  const [first, ...others] = await placesOf(setup, ctx, given)
  if (first !== undefined && others.length === 0) return first
  const all = [...(first ? [first] : []), ...others]
  const shown = all.map(({ project, file, symbol }) => shownSymbol(project, file.path, symbol))
  throw new ToolProblem('conflict', `${all.length} symbols have the name ${JSON.stringify(given.symbol)}`, {
    next: `Say which one, by "path" as well or by "path", "line" and "name": ${shown.slice(0, 10).join(', ')}`,
  })
}

/** Finds the places that a caller names; by a symbol there may be several. */
export async function placesOf(setup: CodeSetup, ctx: Context, given: GivenPlace): Promise<readonly Place[]> {
  const { path, line, name, symbol } = given
  if (symbol !== undefined) {
    return path === undefined ? symbolInProject(setup, ctx, symbol) : symbolInFile(setup, ctx, { path, symbol })
  }
  if (path === undefined || line === undefined || name === undefined) {
    throw new ToolProblem('refused', 'Cannot find the place: it is not named', {
      next: 'Pass "path", "line" and "name", or "symbol"',
    })
  }
  const open = await openFile(setup, ctx, path)
  return [{ ...open, name, position: { line: line - 1, character: columnOf(open.file.text, { line, name, path }) } }]
}

/** Column of a name on a line; refuses a line without it, and names lines near it that have it. */
export function columnOf(text: string, at: { readonly line: number; readonly name: string; readonly path: string }) {
  const lines = text.split(/\r\n|\n|\r/)
  const column = nameIn(lines[at.line - 1] ?? '', at.name)
  if (column >= 0) return column
  const others = lines.flatMap((line, index) => (nameIn(line, at.name) < 0 ? [] : [index + 1]))
  const nearest = others.sort((one, other) => Math.abs(one - at.line) - Math.abs(other - at.line)).slice(0, 3)
  const where = `line ${at.line} of ${JSON.stringify(at.path)}`
  throw new ToolProblem('not_found', `There is no ${JSON.stringify(at.name)} on ${where}`, {
    nearest: nearest.map((line) => `line ${line}`),
    next: nearest.length === 0 ? 'The name is nowhere in this file; list_symbols shows what is' : 'Name that line',
  })
}

/** The first place of a name that is no part of a longer one. */
function nameIn(line: string, name: string): number {
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_$]/u.test(character)
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const isPart = (isWord(name[0]) && isWord(line[at - 1])) || (isWord(name.at(-1)) && isWord(line[at + name.length]))
    if (!isPart) return at
  }
  return -1
}

interface SymbolInFile {
  readonly path: string
  readonly symbol: string
}

async function symbolInFile(setup: CodeSetup, ctx: Context, { path, symbol }: SymbolInFile): Promise<readonly Place[]> {
  const open = await openFile(setup, ctx, path)
  const symbols = await documentSymbols(open.server, open.file.path, ctx.signal)
  const found = symbols.filter((one) => isCalled(one, symbol))
  if (found.length > 0) return found.map((one) => placeOfSymbol(open, one))
  throw unknown(
    symbol,
    symbols.map((one) => one.symbol),
  )
}

async function symbolInProject(setup: CodeSetup, ctx: Context, symbol: string): Promise<readonly Place[]> {
  const project = await projectAt(setup, ctx)
  const allowed = await allowedOf(setup, ctx)
  const query = symbol.split(/\.|::|#/).at(-1) ?? symbol
  const similar: string[] = []
  const { answers } = await project.askEach(ctx, async ({ language, server }) => {
    await openAny(project, language, server)
    const found = await searchSymbols(server, { query, allowed, signal: ctx.signal })
    similar.push(...found.map((one) => one.symbol))
    const exact = found.filter((one) => one.symbol.split('.').at(-1)?.replace(/\(.*/, '') === query)
    const places: Place[] = []
    for (const path of [...new Set(exact.map((one) => one.path))].slice(0, maxFilesOfSymbol)) {
      const file = await readTextFile(allowed, path, setup.limits.maxFileBytes)
      server.sync(file.path, file.text)
      const symbols = await documentSymbols(server, file.path, ctx.signal)
      const open = { project, language, server, file }
      places.push(...symbols.filter((one) => isCalled(one, symbol)).map((one) => placeOfSymbol(open, one)))
    }
    return places
  })
  const places = answers.flat()
  if (places.length > 0) return places
  throw unknown(symbol, similar)
}

function isCalled({ symbol }: CodeSymbol, wanted: string): boolean {
  const [full, given] = [symbol, wanted].map((name) => name.replaceAll(/::|#/g, '.').replaceAll(/\(.*?\)/g, ''))
  return full === given || full?.endsWith(`.${given}`) === true
}

function placeOfSymbol(open: OpenedFile, symbol: CodeSymbol): Place {
  const name = symbol.symbol.split('.').at(-1) ?? symbol.symbol
  const { line, character } = symbol.selection.start
  // flat lists of symbols say where the declaration begins, not where its name stands
  const text = open.file.text.split(/\r\n|\n|\r/)[line] ?? ''
  const column = text.startsWith(name, character) ? character : nameIn(text, name)
  return { ...open, name, symbol, position: { line, character: column < 0 ? character : column } }
}

function unknown(symbol: string, names: readonly string[]): ToolProblem {
  return new ToolProblem('not_found', `There is no symbol ${JSON.stringify(symbol)}`, {
    nearest: nearestNames(symbol, new Set(names)),
    next: 'list_symbols with "query" finds names that contain a text',
  })
}

/** A symbol and where it stands, in one line. */
export function shownSymbol(project: Project, path: string, symbol: CodeSymbol | undefined): string {
  return `${symbol?.symbol ?? ''} ${project.shown(path)}:${(symbol?.selection.start.line ?? 0) + 1}`
}
