import type { SpilledMatch, SpilledMatches } from '../spilled.ts'

/** Number of lines that had ended before a byte, so that no line is looked for from the beginning. */
export interface LineMark {
  readonly byte: number
  readonly lines: number
}

/** The bytes between two marks. */
export const markBytes = 65_536
const chunkBytes = 262_144
const newline = 10
const maxMatches = 100
const aroundBytes = 200

/** Bytes that were kept, and how they are read. */
export interface KeptBytes {
  readonly file: {
    /** The bytes from one place up to another one, which is not among them. */
    read(from: number, to: number): Promise<Uint8Array>
  }
  readonly size: number
  /** Places from which lines are looked for; without one, from the beginning. */
  readonly marks: readonly LineMark[]
}

/** The text of lines, from the first to the last, counted from one. */
export async function readKeptLines(
  kept: KeptBytes,
  { first, last }: { readonly first: number; readonly last: number },
  maxBytes: number,
): Promise<Uint8Array> {
  const from = first === 1 ? 0 : await lineStart(kept, first)
  const to = await lineStart(kept, last + 1, from, first)
  return kept.file.read(from, Math.min(to, from + maxBytes))
}

/** Start of a line; the end where there are fewer. */
async function lineStart(kept: KeptBytes, line: number, since = 0, sinceLine = 1): Promise<number> {
  const mark = kept.marks.findLast(({ lines, byte }) => lines < line - 1 && byte >= since)
  let [at, current] = mark ? [mark.byte, mark.lines + 1] : [since, sinceLine]
  while (at < kept.size && current < line) {
    const bytes = await kept.file.read(at, at + chunkBytes)
    for (let within = bytes.indexOf(newline); within !== -1; within = bytes.indexOf(newline, within + 1))
      if (++current === line) return at + within + 1
    at += bytes.length
  }
  return kept.size
}

/** Finds a text, from a byte on: a hundred places at once. */
export async function searchKept(
  kept: KeptBytes,
  wanted: string,
  after: number,
  signal: AbortSignal,
): Promise<SpilledMatches> {
  const needle = new TextEncoder().encode(wanted)
  const matches: SpilledMatch[] = []
  let line = await linesBefore(kept, after)
  let at = after
  while (at < kept.size) {
    signal.throwIfAborted()
    // a match may begin in this piece and end in the next
    const bytes = await kept.file.read(at, at + chunkBytes + needle.length - 1)
    const own = Math.min(chunkBytes, bytes.length)
    let counted = 0
    for (
      let found = indexOf(bytes, needle, 0);
      found !== -1 && found < own;
      found = indexOf(bytes, needle, found + 1)
    ) {
      if (matches.length === maxMatches) return { matches, next: at + found }
      line += newlines(bytes, counted, found)
      counted = found
      matches.push({ line: line + 1, byte: at + found, text: await around(kept, at + found, needle.length) })
    }
    line += newlines(bytes, counted, own)
    at += own
  }
  return { matches }
}

async function linesBefore(kept: KeptBytes, byte: number): Promise<number> {
  const mark = kept.marks.findLast((each) => each.byte <= byte) ?? { byte: 0, lines: 0 }
  let { lines } = mark
  for (let at = mark.byte; at < byte; at += chunkBytes) {
    const bytes = await kept.file.read(at, Math.min(byte, at + chunkBytes))
    lines += newlines(bytes, 0, bytes.length)
  }
  return lines
}

/** The newlines in a part of the bytes. */
export function newlines(bytes: Uint8Array, from: number, to: number): number {
  let count = 0
  for (let at = bytes.indexOf(newline, from); at !== -1 && at < to; at = bytes.indexOf(newline, at + 1)) count++
  return count
}

function indexOf(bytes: Uint8Array, needle: Uint8Array, from: number): number {
  const [first = 0] = needle
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
    let same = 1
    while (same < needle.length && bytes[at + same] === needle[same]) same++
    if (same === needle.length) return at
  }
  return -1
}

/** The line of a match, as far as it stands near it. */
async function around(kept: KeptBytes, byte: number, length: number): Promise<string> {
  const from = Math.max(0, byte - aroundBytes)
  const bytes = await kept.file.read(from, byte + length + aroundBytes)
  const before = bytes.subarray(0, byte - from).lastIndexOf(newline) + 1
  const after = bytes.indexOf(newline, byte - from + length)
  return new TextDecoder().decode(bytes.subarray(before, after === -1 ? bytes.length : after))
}
