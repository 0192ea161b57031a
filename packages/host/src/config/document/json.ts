import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { ConfigProblem } from '../problem.ts'
import { type Document, maxFileBytes, type Path, type Value } from './document.ts'
import { Lines } from './lines.ts'

/** Deeper text is written to break its reader. */
const maxDepth = 200
/** The kinds of token that open and close, as the scanner numbers them. */
const openBrace = 1
const closeBrace = 2
const openBracket = 3
const closeBracket = 4
const endOfText = 17

/** Reads JSON, with comments and trailing commas as editors allow them. */
export function readJson(file: string, text: string): Document {
  const lines = new Lines(text)
  const errors: ParseError[] = []
  const refused = refusal(text)
  const root = refused === undefined ? jsonTree(text, errors) : undefined
  const problems = [
    ...(refused === undefined ? [] : [{ file, line: 1, key: '', ...refused }]),
    // errors after the first are mostly its echo
    ...errors.slice(0, 1).map((error) => (beginsAsJson.test(text) ? syntaxProblem(file, lines, error) : noJson(file))),
    ...(root === undefined ? [] : repeatedKeys(file, lines, root)),
  ]
  return {
    file,
    text,
    value: root === undefined ? {} : toValue(root),
    problems,
    lineOf: lineFinder(root, lines),
  }
}

/** The tree of a text; undefined when there is nothing in it. */
export function jsonTree(text: string, errors: ParseError[] = []): Node | undefined {
  const start = text.startsWith('\uFEFF') ? 1 : 0
  // a mark of the byte order is no part of the text, but positions count it
  const readable = start === 0 ? text : ` ${text.slice(1)}`
  return parseTree(readable, errors, { allowTrailingComma: true, allowEmptyContent: true })
}

/** The value that keys and indices lead to; of two equal keys the later one, as it is the one that counts. */
export function findNode(root: Node, path: Path): Node | undefined {
  return path.reduce<Node | undefined>((node, part) => {
    if (typeof part === 'number') return node?.type === 'array' ? node.children?.[part] : undefined
    if (node?.type !== 'object') return undefined
    return node.children?.findLast(({ children: [key] = [] }) => key?.value === part)?.children?.[1]
  }, root)
}

function refusal(text: string): { readonly problem: string; readonly fix: string } | undefined {
  if (text.length > maxFileBytes) return { problem: `is larger than ${maxFileBytes} bytes`, fix: 'make it smaller' }
  const scanner = createScanner(text, true)
  let depth = 0
  for (let token: number = scanner.scan(); token !== endOfText; token = scanner.scan()) {
    if (token === openBrace || token === openBracket) depth++
    else if (token === closeBrace || token === closeBracket) depth--
    if (depth > maxDepth) return { problem: `is nested deeper than ${maxDepth}`, fix: 'make it flatter' }
  }
  return undefined
}

/** Beginnings of a text that was meant to be JSON, or is not written yet. */
const beginsAsJson = /^\uFEFF?\s*(?:[{["]|\/[/*]|$)/

function noJson(file: string): ConfigProblem {
  return {
    file,
    line: 1,
    key: '',
    problem: 'is not JSON',
    fix: 'begin it with { and write keys and texts in double quotes',
  }
}

function syntaxProblem(file: string, lines: Lines, { error, offset }: ParseError): ConfigProblem {
  const name = printParseErrorCode(error)
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  return {
    file,
    line: lines.at(offset),
    key: '',
    problem: `is not JSON here (${words})`,
    fix: fixes[name] ?? 'mend it',
  }
}

const fixes: { readonly [code: string]: string } = {
  CommaExpected: 'put a comma between the two values',
  ColonExpected: 'put a colon after the key',
  PropertyNameExpected: 'write a key in double quotes',
  ValueExpected: 'write a value',
  CloseBraceExpected: 'close the object with }',
  CloseBracketExpected: 'close the list with ]',
  UnexpectedEndOfString: 'close the text with a double quote',
  UnexpectedEndOfComment: 'close the comment with */',
  EndOfFileExpected: 'remove what follows the last }',
  InvalidSymbol: 'put text in double quotes',
  InvalidEscapeCharacter: 'write a backslash as \\\\',
}

/** Of two equal keys the later one counts, which people do not expect. */
function repeatedKeys(file: string, lines: Lines, node: Node, path: Path = []): ConfigProblem[] {
  if (node.type === 'array')
    return (node.children ?? []).flatMap((child, at) => repeatedKeys(file, lines, child, [...path, at]))
  if (node.type !== 'object') return []
  const seen = new Set<string>()
  return (node.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? []
    const name = `${key?.value}`
    const here = [...path, name]
    const inner = value === undefined ? [] : repeatedKeys(file, lines, value, here)
    if (!seen.has(name)) {
      seen.add(name)
      return inner
    }
    const line = lines.at(property.offset)
    return [{ file, line, key: here.join('.'), problem: 'stands there twice', fix: 'remove one of them' }, ...inner]
  })
}

function toValue(node: Node): Value {
  if (node.type === 'array') return (node.children ?? []).map(toValue)
  if (node.type !== 'object') return node.value as Value
  // defined rather than set, so that a key named __proto__ is a key like any other
  const table: { [key: string]: Value } = {}
  for (const { children: [key, value] = [] } of node.children ?? []) {
    if (key === undefined || value === undefined) continue
    const property = { value: toValue(value), enumerable: true, configurable: true, writable: true }
    Object.defineProperty(table, `${key.value}`, property)
  }
  return table
}

/** Finds the line of each key and item; the map is made on first use, as most documents are never asked. */
function lineFinder(root: Node | undefined, lines: Lines): (path: Path) => number {
  let offsets: Map<string, number> | undefined
  return (path) => {
    offsets ??= new Map(root === undefined ? [] : offsetsIn(root, ''))
    for (let length = path.length; length > 0; length--) {
      const offset = offsets.get(path.slice(0, length).join('\0'))
      if (offset !== undefined) return lines.at(offset)
    }
    return lines.at(root?.offset ?? 0)
  }
}

function offsetsIn(node: Node, above: string): [string, number][] {
  const here = (key: string | number) => (above === '' ? `${key}` : `${above}\0${key}`)
  return (node.children ?? []).flatMap((child, at): [string, number][] => {
    const [key, value] = child.type === 'property' ? (child.children ?? []) : [undefined, child]
    const path = here(key === undefined ? at : `${key.value}`)
    return [[path, child.offset], ...(value === undefined ? [] : offsetsIn(value, path))]
  })
}
