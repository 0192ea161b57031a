import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { AllowedFolders } from '@trunkline/server-kit/folders'
import type { FilesLimits } from './files-limits.ts'
import { openInside } from './open-inside.ts'
import { FileRefusal } from './refusal.ts'
import { textOfBytes } from './text-or-bytes.ts'

/** All of a file that is small enough. */
export interface WholeFile {
  readonly path: string
  readonly bytes: Uint8Array
  /** Hash of the content, which a later write has to name. */
  readonly hash: string
}

/** Lines of a text file. */
export interface FileLines {
  readonly text: string
  /** The first and the last line that were read, counted from 1. */
  readonly from: number
  readonly to: number
  /** True if something follows. */
  readonly hasMore: boolean
}

const newline = 10
const chunkBytes = 64 * 1024

/** Reads a whole file within the limit. */
export async function readWhole(
  allowed: AllowedFolders,
  given: string,
  { maxReadBytes }: FilesLimits,
): Promise<WholeFile> {
  await using file = await openInside(allowed, given)
  if (file.size > maxReadBytes) {
    throw new FileRefusal(`Cannot read all of ${JSON.stringify(given)}: it has ${file.size} bytes; read a part of it`)
  }
  const bytes = await readBytes(file.handle, { offset: 0, length: maxReadBytes })
  return { path: file.path, bytes, hash: hashOf(bytes) }
}

/** Reads a part of a file, in bytes. */
export async function readRange(allowed: AllowedFolders, given: string, range: ByteRange): Promise<Uint8Array> {
  await using file = await openInside(allowed, given)
  return readBytes(file.handle, range)
}

/** A part of a file. */
export interface ByteRange {
  readonly offset: number
  readonly length: number
}

/** Hash that identifies the content of a file. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Some lines of a file. */
export interface LineRange {
  /** Counted from 1. */
  readonly from: number
  readonly lines: number
  readonly maxReadBytes: number
}

/** Reads some lines of a file of any size, and no more of it than needed; undefined when they are no text. */
export async function readLines(
  allowed: AllowedFolders,
  given: string,
  range: LineRange,
): Promise<FileLines | undefined> {
  await using file = await openInside(allowed, given)
  const { bytes, line, offset } = await collectLines(file.handle, given, range)
  if (bytes.length === 0 && range.from > 1) {
    throw new FileRefusal(`Cannot read ${JSON.stringify(given)} from line ${range.from}: it has fewer lines`)
  }
  const text = textOfBytes(bytes)
  if (text === undefined) return undefined
  const to = bytes.length === 0 || bytes.at(-1) === newline ? line - 1 : line
  return { text, from: range.from, to, hasMore: offset < file.size }
}

/** Goes through a file line by line until all that is wanted was seen. */
async function collectLines(handle: FileHandle, given: string, { from, lines, maxReadBytes }: LineRange) {
  const wanted: Uint8Array[] = []
  let [line, offset, size] = [1, 0, 0]
  for await (const chunk of chunksOf(handle)) {
    for (let start = 0; start < chunk.length && line < from + lines; ) {
      const end = chunk.indexOf(newline, start)
      const stop = end < 0 ? chunk.length : end + 1
      if (line >= from) {
        wanted.push(chunk.subarray(start, stop))
        size += stop - start
      }
      if (size > maxReadBytes) {
        throw new FileRefusal(
          `Cannot read these lines of ${JSON.stringify(given)}: they have more than ${maxReadBytes} bytes`,
        )
      }
      offset += stop - start
      start = stop
      if (end >= 0) line++
    }
    if (line >= from + lines) break
  }
  return { bytes: Buffer.concat(wanted), line, offset }
}

async function* chunksOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(new Uint8Array(chunkBytes), 0, chunkBytes, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function readBytes(handle: FileHandle, { offset, length }: ByteRange): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for (let read = 0; read < length; ) {
    const size = Math.min(chunkBytes, length - read)
    const { bytesRead, buffer } = await handle.read(new Uint8Array(size), 0, size, offset + read)
    if (bytesRead === 0) break
    parts.push(buffer.subarray(0, bytesRead))
    read += bytesRead
  }
  return Buffer.concat(parts)
}
