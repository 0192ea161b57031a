import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
import { type AllowedFolders, insidePath, liesIn, outsideError } from '@trunkline/server-kit/folders'
import { explaining, FileRefusal } from './refusal.ts'

/** A file that is open for reading and certainly inside. */
export interface OpenFile extends AsyncDisposable {
  readonly path: string
  readonly handle: FileHandle
  readonly size: number
}

/** Opens a regular file for reading; what was opened is looked at once more, since a name may have changed its meaning. */
export function openInside(allowed: AllowedFolders, given: string): Promise<OpenFile> {
  return explaining('read', given, () => openRegular(allowed, given))
}

async function openRegular(allowed: AllowedFolders, given: string): Promise<OpenFile> {
  const path = await insidePath(allowed, given)
  const found = await lstat(path)
  if (found.isDirectory()) throw new FileRefusal(`Cannot read ${JSON.stringify(given)}: it is a directory`)
  if (!found.isFile()) throw new FileRefusal(`Cannot read ${JSON.stringify(given)}: it is no regular file`)
  // a pipe that took its place must not hold us up, and a link must not lead us on
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error) => {
    throw error.code === 'ELOOP' ? outsideError(given) : error
  })
  try {
    const state = await handle.stat()
    if (!state.isFile() || !(await isInside(allowed, handle, path))) throw outsideError(given)
    return { path, handle, size: state.size, [Symbol.asyncDispose]: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** True if an open file lies inside, whatever its name means by now. */
export async function isInside({ folders }: AllowedFolders, handle: FileHandle, path: string): Promise<boolean> {
  if (process.platform === 'linux') {
    const real = await readlink(`/proc/self/fd/${handle.fd}`)
    return folders.some((folder) => liesIn(folder, real))
  }
  const real = await realpath(path)
  const [opened, named] = await Promise.all([handle.stat({ bigint: true }), lstat(real, { bigint: true })])
  return opened.ino === named.ino && opened.dev === named.dev && folders.some((folder) => liesIn(folder, real))
}
