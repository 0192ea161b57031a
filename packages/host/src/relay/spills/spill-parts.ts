import type { Fields } from '@trunkline/mcp'
import { objectsIn } from './read-range.ts'
import type { Spill } from './spills.ts'

/** One piece of a result that was kept: text, or bytes in base64. */
export type SpillPart = { readonly mimeType: string } & ({ readonly text: string } | { readonly blob: string })

const scheme = 'trunkline://result/'

/** The address of a result that was kept, or of one of its parts. */
export function spillUri(id: string, part?: number): string {
  return part === undefined ? `${scheme}${id}` : `${scheme}${id}/${part}`
}

/** Part of a kept result that an address names. */
export interface SpillAddress {
  readonly id: string
  readonly part: number | undefined
  /** A range of bytes or lines, or a search; undefined where all of it is meant. */
  readonly query: string | undefined
}

/** True if an address is one of kept results, known or not. */
export function isSpillUri(uri: string): boolean {
  return /^trunkline:\/\/result(?:[/?#]|$)/i.test(uri)
}

/** The result and the part that an address names; undefined for any other address. */
export function parseSpillUri(uri: string): SpillAddress | undefined {
  const [, id, part, query] = /^trunkline:\/\/result\/([\w-]+)(?:\/(\d{1,6})|\?(.*))?$/s.exec(uri) ?? []
  return id === undefined ? undefined : { id, part: part === undefined ? undefined : Number(part), query }
}

/** Everything that a result holds: block by block, then its structured content, then whatever else there is. */
export function spillParts({ result }: Pick<Spill, 'result'>): readonly SpillPart[] {
  if (result.content === undefined && Array.isArray(result.contents)) return objectsIn(result.contents).map(embedded)
  if (result.content === undefined && Array.isArray(result.messages)) return messageParts(result)
  const { content, structuredContent, isError: _error, _meta, ...rest } = result
  const blocks = objectsIn(content).map(partOf)
  const others = [structuredContent, Object.keys(rest).length > 0 ? rest : undefined]
  return [...blocks, ...others.filter((value) => value !== undefined).map(jsonPart)]
}

/** Parts of a prompt, message by message. */
function messageParts({ messages }: Fields): readonly SpillPart[] {
  return objectsIn(messages).flatMap(({ content }) => objectsIn([content].flat()).map(partOf))
}

function jsonPart(value: unknown): SpillPart {
  return { mimeType: 'application/json', text: JSON.stringify(value, null, 2) }
}

/** The parts as the contents of a resource, each under its own address; `only` names one of them. */
export function contentsOf(spill: Spill, only?: number): readonly Fields[] | undefined {
  const contents = spillParts(spill).map((part, at) => ({ uri: spillUri(spill.id, at), ...part }))
  if (only === undefined) return contents
  const one = contents[only]
  return one && [one]
}

function partOf(block: Fields): SpillPart {
  const { type, text, data, mimeType, resource } = block
  if (type === 'text') return { mimeType: 'text/plain', text: String(text) }
  if (typeof data === 'string') return { mimeType: String(mimeType ?? 'application/octet-stream'), blob: data }
  if (type === 'resource') return embedded(resource as Fields)
  return jsonPart(block)
}

function embedded({ text, blob, mimeType }: Fields): SpillPart {
  if (typeof blob === 'string') return { mimeType: String(mimeType ?? 'application/octet-stream'), blob }
  return { mimeType: String(mimeType ?? 'text/plain'), text: String(text) }
}
