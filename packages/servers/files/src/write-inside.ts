import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { replaceFile } from '@trunkline/base/replace-file'
import { type AllowedFolders, insidePath, outsideError } from '@trunkline/server-kit/folders'
import type { FilesLimits } from './files-limits.ts'
import { openFolderInside } from './open-folder.ts'
import { isInside } from './open-inside.ts'
import { hashOf, readWhole } from './read-part.ts'
import { explaining, FileRefusal } from './refusal.ts'

/** Bytes to write, and the content they replace. */
export interface FileWrite {
  readonly bytes: Uint8Array
  /** The hash of the content that was read; the write is refused when the file holds another. */
  readonly over: string | undefined
  readonly limits: FilesLimits
}

/** Writes a file whole or not at all; folders on the way are made. Returns the hash of what it holds now. */
export function writeInside(allowed: AllowedFolders, given: string, write: FileWrite): Promise<string> {
  return explaining('write', given, () => writeRegular(allowed, given, write))
}

async function writeRegular(allowed: AllowedFolders, given: string, write: FileWrite): Promise<string> {
  const { bytes, over, limits } = write
  if (bytes.length > limits.maxWriteBytes) {
    throw new FileRefusal(
      `Cannot write ${JSON.stringify(given)}: ${bytes.length} bytes are more than ${limits.maxWriteBytes}`,
    )
  }
  const path = await insidePath(allowed, given)
  const found = await lstat(path).catch(() => undefined)
  if (found !== undefined && !found.isFile())
    throw new FileRefusal(`Cannot write ${JSON.stringify(given)}: it is no regular file`)
  if (over !== undefined) await refuseChanged(allowed, given, { over, limits, isThere: found !== undefined })
  await writeOver(allowed, path, { bytes, mode: found === undefined ? 0o644 : found.mode & 0o777 })
  return hashOf(bytes)
}

async function refuseChanged(
  allowed: AllowedFolders,
  given: string,
  check: { over: string; limits: FilesLimits; isThere: boolean },
): Promise<void> {
  const now = check.isThere
    ? (await readWhole(allowed, given, { ...check.limits, maxReadBytes: check.limits.maxWriteBytes })).hash
    : ''
  if (now !== check.over)
    throw new FileRefusal(`Cannot write ${JSON.stringify(given)}: it was changed since it was read; read it again`)
}

/** A new file takes the place of the old one; where it came to lie is looked at before that. */
async function writeOver(
  allowed: AllowedFolders,
  path: string,
  { bytes, mode }: { bytes: Uint8Array; mode: number },
): Promise<void> {
  await using folder = await openFolderInside(allowed, dirname(path))
  const place = join(folder.path, basename(path))
  const temporary = `${place}.${randomBytes(6).toString('hex')}.tmp`
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const handle = await open(temporary, flags, mode)
  try {
    if (!(await isInside(allowed, handle, temporary))) throw outsideError(path)
    await handle.writeFile(bytes)
    await handle.sync()
    await handle.close()
    await replaceFile(temporary, place)
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(temporary, { force: true })
    throw error
  }
}
