import type { AST } from 'toml-eslint-parser'
import { type Edit, isTable, type Path, type Value, valueAt } from './document.ts'
import { styleOf } from './lines.ts'
import { type Definition, definitionsIn, readToml, startsWith, tomlTree } from './toml.ts'
import { renderKey, renderTable, renderValue } from './toml-render.ts'

/** Changes a text in the places that the edits name and nowhere else: comments, order and line ends stay. */
export function editToml(text: string, edits: readonly Edit[]): string {
  return edits.reduce((current, edit) => {
    if ('append' in edit) return put(current, edit.path, [...listAt(current, edit.path), edit.append])
    return edit.value === undefined ? remove(current, edit.path) : put(current, edit.path, edit.value)
  }, text)
}

function listAt(text: string, path: Path): readonly Value[] {
  const value = valueAt(readToml('', text).value, path)
  return Array.isArray(value) ? value : []
}

function put(text: string, path: Path, value: Value): string {
  const definitions = definitionsIn(tomlTree(text))
  const same = definitions.filter((one) => startsWith(one.path, path))
  const [first] = same
  if (first?.node.type === 'TOMLKeyValue' && first.path.length === path.length) {
    return splice(text, first.node.value.range, renderValue(value))
  }
  if (same.length > 0) return put(remove(text, path), path, value)
  const braces = bracesAt(definitions, path)
  if (braces !== undefined) return putInBraces(text, braces, path, value)
  if (isTable(value)) return appendTable(text, path, value)
  return putLine(text, definitions, path, value)
}

/** The innermost braces that a path leads into. */
function bracesAt(definitions: readonly Definition[], path: Path): Definition | undefined {
  return definitions.findLast(
    ({ node, path: above }) =>
      node.type === 'TOMLKeyValue' && node.value.type === 'TOMLInlineTable' && startsWith(path, above),
  )
}

function putInBraces(text: string, { node, path: above }: Definition, path: Path, value: Value): string {
  const braces = (node as AST.TOMLKeyValue).value as AST.TOMLInlineTable
  const pair = `${renderKey(path.slice(above.length))} = ${renderValue(value)}`
  const last = braces.body.at(-1)
  if (last === undefined) return splice(text, braces.range, `{ ${pair} }`)
  return splice(text, [last.range[1], last.range[1]], `, ${pair}`)
}

function appendTable(text: string, path: Path, table: { readonly [key: string]: Value }): string {
  const { lineEnd } = styleOf(text)
  const ended = text === '' || text.endsWith('\n') ? text : text + lineEnd
  return `${ended}${ended.trim() === '' ? '' : lineEnd}${renderTable(path, table, lineEnd)}`
}

/** Adds a key behind the last one of its table; a table that is missing is put at the end. */
function putLine(text: string, definitions: readonly Definition[], path: Path, value: Value): string {
  const above = path.slice(0, -1)
  const place = placeIn(definitions, above)
  if (place === undefined && above.length > 0) return appendTable(text, above, { [path.at(-1) ?? '']: value })
  const { lineEnd } = styleOf(text)
  const line = `${renderKey(path.slice(place?.base.length ?? 0))} = ${renderValue(value)}${lineEnd}`
  if (place === undefined) return line + text
  const end = lineEndAt(text, place.behind.range[1])
  const broken = end > 0 && text[end - 1] !== '\n' ? lineEnd : ''
  return splice(text, [end, end], broken + line)
}

/** Place for a key of a table: the node to insert behind, and the table whose header it is relative to. */
function placeIn(definitions: readonly Definition[], table: Path) {
  const header = definitions.find(({ node, path }) => node.type === 'TOMLTable' && isSame(path, table))
  if (header !== undefined) return { behind: header.node, base: table }
  if (table.length === 0) {
    const last = lastTopKey(definitions)
    return last && { behind: last, base: [] }
  }
  // dotted keys make a table too, and no header may follow for it
  const dotted = definitions.findLast(
    ({ node, path, above, inside }) =>
      node.type === 'TOMLKeyValue' &&
      !inside &&
      above.length < table.length &&
      startsWith(path, table) &&
      !isSame(path, table),
  )
  return dotted && { behind: dotted.node, base: dotted.above }
}

/** The last key that stands before every header. */
function lastTopKey(definitions: readonly Definition[]): Definition['node'] | undefined {
  const first = definitions.findIndex(({ node }) => node.type === 'TOMLTable')
  const top = first < 0 ? definitions : definitions.slice(0, first)
  return top.findLast(({ inside }) => inside === undefined)?.node
}

/** Takes away every key and table at and below a path. */
function remove(text: string, path: Path): string {
  const found = definitionsIn(tomlTree(text)).filter((one) => startsWith(one.path, path))
  const outermost = found.filter((one) => !found.some((other) => other !== one && contains(other, one)))
  return outermost.reduceRight((current, { node, inside }) => {
    if (inside !== undefined) return splice(current, memberRange(inside, node as AST.TOMLKeyValue), '')
    return splice(current, linesOf(current, node), '')
  }, text)
}

function contains({ node: outer }: Definition, { node: inner }: Definition): boolean {
  return outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1]
}

/** The lines of a key or a table, with the empty line in front of a table. */
function linesOf(text: string, node: Definition['node']): AST.Range {
  const start = text.lastIndexOf('\n', node.range[0] - 1) + 1
  const end = lineEndAt(text, node.range[1])
  const before = node.type === 'TOMLTable' ? (/(?:^|\n)(\r?\n)$/.exec(text.slice(0, start))?.[1] ?? '') : ''
  return [start - before.length, end]
}

/** A pair inside braces with the comma that parts it from its neighbour. */
function memberRange(braces: AST.TOMLInlineTable, pair: AST.TOMLKeyValue): AST.Range {
  const index = braces.body.indexOf(pair)
  const before = braces.body[index - 1]
  const after = braces.body[index + 1]
  if (before !== undefined) return [before.range[1], pair.range[1]]
  return after === undefined ? [pair.range[0], pair.range[1]] : [pair.range[0], after.range[0]]
}

function isSame(one: Path, other: Path): boolean {
  return one.length === other.length && startsWith(one, other)
}

function lineEndAt(text: string, offset: number): number {
  const at = text.indexOf('\n', offset)
  return at < 0 ? text.length : at + 1
}

function splice(text: string, [start, end]: AST.Range, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end)
}
