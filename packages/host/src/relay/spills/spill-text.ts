import { type SpillPart, spillParts, spillUri } from './spill-parts.ts'
import type { Spill } from './spills.ts'

/** A longer line is shown as several, so that all of it can be reached. */
const maxLineLength = 2_000

/** A result as text: its texts, and a line for each other part. */
export function textOf(spill: Pick<Spill, 'id' | 'result'>): string {
  return spillParts(spill)
    .map((part, at) => ('text' in part ? part.text : standIn(part, spillUri(spill.id, at))))
    .join('\n')
}

/** The lines of a text, none of them longer than can be shown. */
export function linesOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => (line.length <= maxLineLength ? [line] : wrapped(line)))
}

/** The beginning of a text, in at most so many bytes. */
export function headOf(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.slice(0, maxBytes))
  let end = Math.min(bytes.length, maxBytes)
  // a character is not cut in two
  while (end < bytes.length && end > 0 && isContinuation(bytes[end])) end -= 1
  return bytes.toString('utf8', 0, end)
}

/** The end of a text, in at most so many bytes. */
export function tailOf(text: string, maxBytes: number): string {
  if (maxBytes === 0) return ''
  const bytes = Buffer.from(text.slice(-maxBytes))
  let start = Math.max(0, bytes.length - maxBytes)
  while (start < bytes.length && isContinuation(bytes[start])) start += 1
  return bytes.toString('utf8', start)
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

function wrapped(line: string): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < line.length; ) {
    let end = Math.min(at + maxLineLength, line.length)
    // both halves of a character outside of the basic plane stay together
    if (end < line.length && /[\uD800-\uDBFF]/.test(line[end - 1] ?? '')) end -= 1
    pieces.push(line.slice(at, end))
    at = end
  }
  return pieces
}

function standIn(part: Extract<SpillPart, { blob: string }>, uri: string): string {
  return `[${part.mimeType}, ${Buffer.byteLength(part.blob, 'base64')} bytes, to be read as the resource ${uri}]`
}
