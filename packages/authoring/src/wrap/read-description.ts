import { readFile } from 'node:fs/promises'
import { compile } from '@trunkline/mcp/json-schema'
import { type Document, isMap, isPair, isScalar, LineCounter, type Node, parseDocument } from 'yaml'
import { AuthoringError } from '../failure/authoring-error.ts'
import type { ProgramDescription, ProgramTool } from './description.ts'
import { descriptionSchema } from './description-schema.ts'

/** Reads a description file, YAML or JSON; what is wrong in it is named with its line and its key. */
export async function readDescription(path: string): Promise<ProgramDescription> {
  const lines = new LineCounter()
  const document = parseDocument(await readFile(path, 'utf8'), { lineCounter: lines, prettyErrors: false })
  const place: Place = { path, document, lines }
  const [error] = document.errors
  if (error) throw refused(place, lines.linePos(error.pos[0]).line, error.message)
  const value = readValue(place)
  const [problem] = compile(descriptionSchema)(value)
  if (problem) throw problemAt(place, problem.path, problem.message)
  const description = value as ProgramDescription
  checkTools(place, description.tools ?? [])
  return description
}

interface Place {
  readonly path: string
  readonly document: Document
  readonly lines: LineCounter
}

function readValue({ path, document }: Place): unknown {
  try {
    // a few aliases are handy; a bomb of them is not
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new AuthoringError(`Cannot use "${path}": ${error instanceof Error ? error.message : error}`)
  }
}

/** Checks beyond the schema: names are unique, and the names referred to exist. */
function checkTools(place: Place, tools: readonly ProgramTool[]): void {
  const names = new Set<string>()
  for (const [at, tool] of tools.entries()) {
    if (names.has(tool.name)) throw problemAt(place, `tools[${at}].name`, `another tool is called "${tool.name}"`)
    names.add(tool.name)
    const own = tool.arguments?.map(({ name }) => name) ?? []
    if (tool.endOfOptionsBefore !== undefined && !own.includes(tool.endOfOptionsBefore))
      throw problemAt(place, `tools[${at}].endOfOptionsBefore`, `there is no argument "${tool.endOfOptionsBefore}"`)
    const members = [...(tool.options?.map(({ name }) => name) ?? []), ...own, 'cwd', 'stdin']
    const twice = members.find((member, index) => members.indexOf(member) !== index)
    if (twice !== undefined)
      throw problemAt(place, `tools[${at}]`, `two of its options and arguments are called "${twice}"`)
  }
}

function problemAt(place: Place, path: string, message: string): AuthoringError {
  const keys = [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(([, quoted, index, word]) =>
    index === undefined ? (quoted ?? word ?? '') : Number(index),
  )
  return refused(place, lineOf(place, keys), path === '' ? message : `${path}: ${message}`)
}

/** The line of a key, or of the nearest thing above it that is written down. */
function lineOf({ document, lines }: Place, keys: readonly (string | number)[]): number {
  for (let depth = keys.length; depth >= 0; depth--) {
    const offset = offsetOf(document, keys.slice(0, depth))
    if (offset !== undefined) return lines.linePos(offset).line
  }
  return 1
}

function offsetOf(document: Document, keys: readonly (string | number)[]): number | undefined {
  const parent = keys.length === 0 ? document.contents : document.getIn(keys.slice(0, -1), true)
  const last = keys.at(-1)
  if (isMap(parent) && last !== undefined) {
    const pair = parent.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === last)
    return (pair?.key as Node | undefined)?.range?.[0]
  }
  return (document.getIn(keys, true) as Node | undefined)?.range?.[0]
}

function refused({ path }: Place, line: number, problem: string): AuthoringError {
  return new AuthoringError(`Cannot use "${path}", line ${line}: ${problem}`)
}
