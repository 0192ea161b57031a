import type { Node } from 'jsonc-parser'
import type { Edit, Path, Value } from './document.ts'
import { findNode, jsonTree } from './json.ts'
import { afterItem, endsInLineComment, gapBefore } from './json-gaps.ts'
import { type Style, styleOf } from './lines.ts'

/** Changes a text in the places that the edits name and nowhere else: comments, order and line ends stay. */
export function editJson(text: string, edits: readonly Edit[]): string {
  return edits.reduce((current, edit) => {
    const root = jsonTree(current)
    if (root !== undefined && root.type !== 'object') throw new Error('Cannot edit the file: it holds no object')
    const change = { text: current, style: styleOf(current), root }
    if ('append' in edit) return insert(change, [...edit.path, Number.POSITIVE_INFINITY], edit.append)
    return edit.value === undefined ? remove(change, edit.path) : put(change, edit.path, edit.value)
  }, text)
}

/** Gives a key another name where it stands: its value, its place and the comments beside it stay. */
export function renameJsonKey(text: string, path: Path, name: string): string {
  const root = jsonTree(text)
  const key = root && findNode(root, path)?.parent?.children?.[0]
  return key === undefined ? text : splice(text, key.offset, key.offset + key.length, JSON.stringify(name))
}

interface Change {
  readonly text: string
  readonly style: Style
  readonly root: Node | undefined
}

function put(change: Change, path: Path, value: Value): string {
  const node = change.root && findNode(change.root, path)
  if (node === undefined) return insert(change, path, value)
  const rendered = render(change.style, value, indentAt(change.text, node.parent?.offset ?? node.offset))
  return splice(change.text, node.offset, node.offset + node.length, rendered)
}

/** Adds the missing part of a path to the innermost container that is there. */
function insert(change: Change, path: Path, value: Value): string {
  const { text, style, root } = change
  if (root === undefined) {
    const gap = text === '' || text.endsWith('\n') ? '' : style.lineEnd
    return `${text}${gap}${render({ ...style, spread: true }, nest(path, value), '')}${style.lineEnd}`
  }
  const depth = deepest(root, path)
  const container = findNode(root, path.slice(0, depth)) ?? root
  const key = path[depth]
  const isList = container.type === 'array'
  if (key === undefined || isList === (typeof key === 'string') || !container.children) {
    throw new Error(`Cannot set "${path.join('.')}": "${path.slice(0, depth).join('.')}" holds something else`)
  }
  const inner = nest(path.slice(depth + 1), value)
  const item = (indent: string) =>
    isList ? render(style, inner, indent) : `${JSON.stringify(key)}: ${render(style, inner, indent)}`
  const last = container.children.at(-1)
  return last === undefined ? fill(change, container, item) : follow(change, container, last, item)
}

/** Puts the first item into an empty container. */
function fill({ text, style }: Change, container: Node, item: (indent: string) => string): string {
  const end = container.offset + container.length - 1
  const outer = indentAt(text, container.offset)
  const indent = outer + style.indent
  const inside = text.slice(container.offset + 1, end)
  if (!style.spread) return splice(text, end, end, item(''))
  const comments = inside.trimEnd()
  return splice(
    text,
    container.offset + 1,
    end,
    `${comments}${style.lineEnd}${indent}${item(indent)}${style.lineEnd}${outer}`,
  )
}

/** Puts one more item behind the last one, after the comment that may stand on the line of that. */
function follow({ text, style }: Change, container: Node, last: Node, item: (indent: string) => string): string {
  const lastEnd = last.offset + last.length
  const after = afterItem(text, lastEnd)
  const ownLine = gapBefore(text, last.offset).includes('\n')
  const indent = ownLine ? indentAt(text, last.offset) : ''
  const added = `${ownLine ? style.lineEnd + indent : ' '}${item(ownLine ? indent : indentAt(text, container.offset))}`
  const at = ownLine ? after.lineEnd : (after.commaEnd ?? lastEnd)
  if (after.commaEnd !== undefined) return splice(text, at, at, `${added},`)
  return splice(splice(text, at, at, added), lastEnd, lastEnd, ',')
}

/** Takes an item away with its comma; comments beside it stay. */
function remove({ text, root }: Change, path: Path): string {
  const value = root && findNode(root, path)
  if (value?.parent === undefined) return text
  const item = value.parent.type === 'property' ? value.parent : value
  const before = itemBefore(item)
  const { commaEnd } = afterItem(text, item.offset + item.length)
  const end = commaEnd ?? item.offset + item.length
  const cut = splice(text, cutStart(text, item, end), end, '')
  // the last item had no comma, so the one before it must lose its own
  if (commaEnd !== undefined || before === undefined) return cut
  const comma = afterItem(text, before.offset + before.length).commaEnd
  return comma === undefined ? cut : splice(cut, comma - 1, comma, '')
}

/** An item goes with the white space in front of it, unless that ends a comment or follows the opening bracket. */
function cutStart(text: string, item: Node, end: number): number {
  const before = itemBefore(item)
  const gap = gapBefore(text, item.offset)
  const start = item.offset - gap.length
  const outer = before === undefined ? (item.parent?.offset ?? 0) + 1 : before.offset + before.length
  const lineGoesOn = !/^[ \t]*\r?\n/.test(text.slice(end))
  if (lineGoesOn && endsInLineComment(text, outer, start)) return item.offset
  return before === undefined && !gap.includes('\n') ? item.offset : start
}

function itemBefore(item: Node): Node | undefined {
  const siblings = item.parent?.children ?? []
  return siblings[siblings.indexOf(item) - 1]
}

/** Number of a path's steps that exist. */
function deepest(root: Node, path: Path): number {
  let depth = path.length - 1
  while (depth > 0 && findNode(root, path.slice(0, depth)) === undefined) depth--
  return depth
}

function nest(path: Path, value: Value): Value {
  return path.reduceRight<Value>((inner, key) => (typeof key === 'number' ? [inner] : { [key]: inner }), value)
}

function render(style: Style, value: Value, indent: string): string {
  const text = style.spread ? JSON.stringify(value, null, style.indent) : JSON.stringify(value)
  return text.replaceAll('\n', `${style.lineEnd}${indent}`)
}

/** The white space at the start of the line that holds a position. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

function splice(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end)
}
