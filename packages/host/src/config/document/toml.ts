import { type AST, ParseError, parseTOML } from 'toml-eslint-parser'
import type { ConfigProblem } from '../problem.ts'
import { type Document, maxFileBytes, type Path, type Value } from './document.ts'
import { Lines } from './lines.ts'

/** Deeper text is written to break its reader. */
const maxDepth = 200

/** A key of a TOML text, a header of a table, or a key inside braces. */
export interface Definition {
  readonly path: Path
  /** The path of the table that it stands in. */
  readonly above: Path
  readonly node: AST.TOMLTable | AST.TOMLKeyValue
  /** The braces it stands in, if any. */
  readonly inside: AST.TOMLInlineTable | undefined
}

/** Reads TOML. */
export function readToml(file: string, text: string): Document {
  const lines = new Lines(text)
  try {
    const program = tomlTree(text)
    const definitions = definitionsIn(program)
    return {
      file,
      text,
      value: tomlValue(program),
      problems: [],
      lineOf: (path) => lines.at(offsetOf(definitions, path)),
    }
  } catch (error) {
    return { file, text, value: {}, problems: [problemOf(file, text, error)], lineOf: () => 1 }
  }
}

/** The tree of a text; throws when it is not TOML. */
export function tomlTree(text: string): AST.TOMLProgram {
  if (text.length > maxFileBytes) throw new RangeError(`is larger than ${maxFileBytes} bytes`)
  if (nesting(text) > maxDepth) throw new RangeError(`is nested deeper than ${maxDepth}`)
  // a mark of the byte order is no part of the text, but positions count it
  return parseTOML(text.replace(/^\uFEFF/, ' '), { tomlVersion: '1.1' })
}

/** Every key and header in the order of the text. */
export function definitionsIn(program: AST.TOMLProgram): Definition[] {
  const [top] = program.body
  return top.body.flatMap((node) => {
    if (node.type === 'TOMLKeyValue') return keyDefinitions(node, [])
    const inner = node.body.flatMap((pair) => keyDefinitions(pair, node.resolvedKey))
    return [{ path: node.resolvedKey, above: [], node, inside: undefined }, ...inner]
  })
}

/** The parts of a key: `a."b c"` has two. */
export function partsOf(key: AST.TOMLKey): string[] {
  return key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value))
}

function keyDefinitions(node: AST.TOMLKeyValue, above: Path, inside?: AST.TOMLInlineTable): Definition[] {
  const path = [...above, ...partsOf(node.key)]
  const { value } = node
  const inner = value.type === 'TOMLInlineTable' ? value.body.flatMap((pair) => keyDefinitions(pair, path, value)) : []
  return [{ path, above, node, inside }, ...inner]
}

type Container = { [key: string]: Mutable }
type Mutable = Value | Container | Mutable[]

function tomlValue(program: AST.TOMLProgram): Value {
  const root: Container = {}
  for (const node of program.body[0].body) {
    if (node.type === 'TOMLKeyValue') setPair(root, node)
    else {
      const table = tableAt(root, node.resolvedKey)
      for (const pair of node.body) setPair(table, pair)
    }
  }
  return root as Value
}

/** The table at a path, made with all above it where missing; the parser has refused paths that lead elsewhere. */
function tableAt(root: Container, path: Path): Container {
  let inner: Mutable = root
  for (const [at, part] of path.entries()) {
    const made = (): Mutable => (typeof path[at + 1] === 'number' ? [] : {})
    inner = typeof part === 'number' ? listItem(inner as Mutable[], part) : member(inner as Container, part, made)
  }
  return inner as Container
}

function listItem(list: Mutable[], at: number): Mutable {
  list[at] ??= {}
  return list[at]
}

/** Defined rather than set, so that a key named __proto__ is a key like any other. */
function member(table: Container, key: string, made: () => Mutable): Mutable {
  if (!Object.hasOwn(table, key)) {
    Object.defineProperty(table, key, { value: made(), enumerable: true, configurable: true, writable: true })
  }
  return table[key] as Mutable
}

function setPair(table: Container, { key, value }: AST.TOMLKeyValue): void {
  const parts = partsOf(key)
  const inner = tableAt(table, parts.slice(0, -1))
  member(inner, parts.at(-1) ?? '', () => contentOf(value))
}

function contentOf(node: AST.TOMLContentNode): Mutable {
  if (node.type === 'TOMLArray') return node.elements.map(contentOf)
  if (node.type === 'TOMLInlineTable') {
    const table: Container = {}
    for (const pair of node.body) setPair(table, pair)
    return table
  }
  return 'datetime' in node ? node.datetime : node.value
}

function offsetOf(definitions: readonly Definition[], path: Path): number {
  for (let length = path.length; length > 0; length--) {
    const wanted = path.slice(0, length)
    const exact = definitions.find((one) => one.path.length === length && startsWith(one.path, wanted))
    const found = exact ?? definitions.find((one) => startsWith(one.path, wanted))
    if (found !== undefined) return found.node.range[0]
  }
  return 0
}

/** True if a path begins with another. */
export function startsWith(path: Path, start: Path): boolean {
  return start.every((part, at) => path[at] === part)
}

function nesting(text: string): number {
  let depth = 0
  let deepest = 0
  for (const character of text) {
    if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth)
    else if (character === ']' || character === '}') depth--
    else if (character === '\n' && depth < 0) depth = 0
  }
  return deepest
}

function problemOf(file: string, text: string, error: unknown): ConfigProblem {
  if (error instanceof ParseError) {
    // a character missing at the end of a line is noticed on the next
    const missing = (text[error.index] ?? '\n') === '\n'
    const at = missing ? text.slice(0, error.index).trimEnd().length : error.index
    const problem = `is not TOML here (${error.message.toLowerCase()})`
    return {
      file,
      line: new Lines(text).at(at),
      key: '',
      problem,
      fix: 'mend that line; nothing of the file is used until then',
    }
  }
  return { file, line: 1, key: '', problem: (error as Error).message, fix: 'make it smaller or flatter' }
}
