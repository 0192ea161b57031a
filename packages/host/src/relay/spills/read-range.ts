import { type Fields, InvalidParams, RpcError } from '@trunkline/mcp'
import type { SpilledMatch, SpilledMatches } from '@trunkline/mcp/contract'

/** A whole result as bytes. */
export interface WholeResult {
  readonly bytes: Buffer
  readonly mimeType: string
}

/** The bytes that one read gives. */
export const maxReadBytes = 524_288
const maxMatches = 100
const aroundBytes = 200
const newline = 10

/** The objects of a list; empty for any other value. */
export function objectsIn(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'object' && item !== null) : []
}

/** The whole of a result: the text if there is only one, the content of a resource with one text or blob; else its JSON. */
export function wholeOf({ content, structuredContent, contents, description, messages }: Fields): WholeResult {
  if (content === undefined) return wholeContents({ contents, description, messages })
  const [only, another] = objectsIn(content)
  if (!another && only?.type === 'text' && structuredContent === undefined)
    return { bytes: Buffer.from(String(only.text)), mimeType: 'text/plain' }
  return { bytes: Buffer.from(JSON.stringify({ content, structuredContent })), mimeType: 'application/json' }
}

function wholeContents(result: Fields): WholeResult {
  const [only, another] = objectsIn(result.contents)
  if (!only || another) return { bytes: Buffer.from(JSON.stringify(result)), mimeType: 'application/json' }
  const { text, blob, mimeType } = only
  return typeof blob === 'string'
    ? { bytes: Buffer.from(blob, 'base64'), mimeType: String(mimeType ?? 'application/octet-stream') }
    : { bytes: Buffer.from(String(text)), mimeType: String(mimeType ?? 'text/plain') }
}

/** A part of a whole result, as contents of a resource: `bytes=0-99`, `lines=1-20`, or `search=text` with `after`. */
export function readRange({ bytes, mimeType }: WholeResult, query: string): Fields {
  const asked = new URLSearchParams(query)
  const [range, lines, search, after] = ['bytes', 'lines', 'search', 'after'].map((name) => asked.get(name))
  if (range) {
    const [from, to] = rangeOf('bytes', range, 0)
    return { mimeType, blob: bytes.subarray(from, Math.min(to + 1, from + maxReadBytes)).toString('base64') }
  }
  if (lines) {
    const [first, last] = rangeOf('lines', lines, 1)
    const from = lineStart(bytes, first)
    return { mimeType, text: bytes.toString('utf8', from, Math.min(lineStart(bytes, last + 1), from + maxReadBytes)) }
  }
  if (!search) throw wrong('bytes', query, 'or "lines" or "search" must be given')
  if (after && !/^\d{1,15}$/.test(after)) throw wrong('after', after, 'must be the number of a byte')
  return { mimeType: 'application/json', text: JSON.stringify(found(bytes, search, Number(after ?? 0))) }
}

/** Start of a line; the end if there are fewer. */
function lineStart(bytes: Buffer, line: number): number {
  let at = 0
  for (let current = 1; current < line; current++) {
    const end = bytes.indexOf(newline, at)
    if (end === -1) return bytes.length
    at = end + 1
  }
  return at
}

function found(bytes: Buffer, search: string, after: number): SpilledMatches {
  const matches: SpilledMatch[] = []
  let line = 1
  let counted = 0
  const from = Math.min(after, bytes.length)
  const length = Buffer.byteLength(search)
  for (let at = bytes.indexOf(search, from); at !== -1; at = bytes.indexOf(search, at + 1)) {
    if (matches.length === maxMatches) return { matches, next: at }
    for (let end = bytes.indexOf(newline, counted); end !== -1 && end < at; end = bytes.indexOf(newline, end + 1))
      line++
    counted = at
    matches.push({ line, byte: at, text: around(bytes, at, length) })
  }
  return { matches }
}

/** The line of a match, as far as it stands near it. */
function around(bytes: Buffer, at: number, length: number): string {
  const near = bytes.subarray(Math.max(0, at - aroundBytes), at + length + aroundBytes)
  const within = Math.min(at, aroundBytes)
  const end = near.indexOf(newline, within + length)
  return near.toString('utf8', near.subarray(0, within).lastIndexOf(newline) + 1, end === -1 ? near.length : end)
}

function rangeOf(name: string, text: string, least: number): readonly [number, number] {
  const [, from, to] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? []
  if (from === undefined || to === undefined || Number(from) < least || Number(to) < Number(from))
    throw wrong(name, text, `must be a range such as ${name}=${least}-${least + 99}`)
  return [Number(from), Number(to)]
}

function wrong(name: string, text: string, problem: string): RpcError {
  const shown = JSON.stringify(text.slice(0, 80))
  return new RpcError(InvalidParams, `Cannot read the result: "${name}" ${problem}, not ${shown}`, { field: name })
}
