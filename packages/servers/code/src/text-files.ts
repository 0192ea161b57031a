import { createHash, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath, rm } from 'node:fs/promises'
import { replaceFile } from '@trunkline/base/replace-file'
import { type AllowedFolders, insidePath, liesIn, outsideError } from '@trunkline/server-kit/folders'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'

/** A text file, whole. */
export interface TextFile {
  readonly path: string
  readonly text: string
  readonly hash: string
  readonly mode: number
}

/** Reads a text file inside; refuses what is outside, no regular file, no text, or too large. */
export async function readTextFile(allowed: AllowedFolders, given: string, maxBytes: number): Promise<TextFile> {
  const path = await regularFile(allowed, given)
  // a pipe that took its place must not hold us up, and a link must not lead us on
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => {
    throw new ToolProblem('refused', `Cannot read ${JSON.stringify(given)}: this server may not`)
  })
  try {
    const state = await handle.stat()
    if (!state.isFile() || !(await isInside(allowed, handle, path))) throw outsideError(given)
    if (state.size > maxBytes) {
      const sizes = `it has ${state.size} bytes, more than ${maxBytes}`
      throw new ToolProblem('refused', `Cannot read ${JSON.stringify(given)}: ${sizes}`)
    }
    const bytes = await handle.readFile()
    return { path, text: textOf(bytes, given), hash: hashOf(bytes), mode: state.mode & 0o777 }
  } finally {
    await handle.close()
  }
}

/** Replaces a file whole, or not at all. */
export async function writeWhole(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const handle = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode)
  try {
    await handle.writeFile(bytes)
    await handle.close()
    await replaceFile(temporary, path)
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(temporary, { force: true })
    throw error
  }
}

/** Hash that identifies the content of a file. */
export function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function regularFile(allowed: AllowedFolders, given: string): Promise<string> {
  const path = await insidePath(allowed, given).catch((error) => {
    throw error instanceof ToolProblem ? error : missing(given)
  })
  const found = await lstat(path).catch(() => {
    throw missing(given)
  })
  if (found.isFile()) return path
  const what = found.isDirectory() ? 'it is a directory' : 'it is no regular file'
  throw new ToolProblem('refused', `Cannot read ${JSON.stringify(given)}: ${what}`)
}

function missing(given: string): ToolProblem {
  return new ToolProblem('not_found', `Cannot read ${JSON.stringify(given)}: there is no such file`)
}

function textOf(bytes: Buffer, given: string): string {
  try {
    if (!bytes.subarray(0, 8_192).includes(0))
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // told below
  }
  throw new ToolProblem('refused', `Cannot read ${JSON.stringify(given)}: it is a binary file, no text`, {
    next: 'Name a source file',
  })
}

/** True if an open file lies inside, whatever its name means by now. */
async function isInside({ folders }: AllowedFolders, handle: FileHandle, path: string): Promise<boolean> {
  const real = process.platform === 'linux' ? await readlink(`/proc/self/fd/${handle.fd}`) : await realpath(path)
  return folders.some((folder) => liesIn(folder, real))
}
