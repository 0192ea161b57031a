import { type BigIntStats, constants } from 'node:fs'
import { lstat, open, realpath } from 'node:fs/promises'

/** A file as it was when it was read. */
export interface FileRead {
  readonly bytes: Uint8Array
  /** Changes whenever the file does. */
  readonly stamp: string
}

/** Reads a regular file of at most so many bytes; throws for links, for other things, and when a directory above was swapped. */
export async function readRegularFile(path: string, maxBytes: number): Promise<FileRead> {
  // a pipe must not hold us up, and a link must not lead us on
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const handle = await open(path, flags).catch((error) => {
    throw error.code === 'ELOOP' ? new Error('it is a link') : error
  })
  try {
    const state = await handle.stat({ bigint: true })
    if (!state.isFile()) throw new Error('it is no regular file')
    if (state.size > BigInt(maxBytes)) throw new Error(`it is larger than ${maxBytes} bytes`)
    await assertSameFile(path, state)
    const bytes = new Uint8Array(Number(state.size))
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0)
    if (bytesRead !== bytes.length) throw new Error('it changed while it was read')
    return { bytes, stamp: fileStamp(state) }
  } finally {
    await handle.close()
  }
}

/** The parts of a file's state that change when the file does. */
export function fileStamp({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`
}

/** Refuses a file that was reached through a directory that is a link by now. */
async function assertSameFile(path: string, opened: BigIntStats): Promise<void> {
  const [real, named] = await Promise.all([realpath(path), lstat(path, { bigint: true })])
  if (real !== path || named.ino !== opened.ino || named.dev !== opened.dev) throw new Error('a link leads to it')
}
