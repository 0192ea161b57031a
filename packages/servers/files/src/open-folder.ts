import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, realpath } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { type AllowedFolders, liesIn, outsideError } from '@trunkline/server-kit/folders'

/** A folder in which files are made and renamed. */
export interface OpenFolder extends AsyncDisposable {
  /** Leads to this very folder, also when its name leads elsewhere by now. */
  readonly path: string
}

const folderOnly = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** Opens a folder inside, whose real path this is; folders on the way are made, and no link is followed. */
export function openFolderInside(allowed: AllowedFolders, path: string): Promise<OpenFolder> {
  return process.platform === 'linux' ? openStepByStep(allowed, path) : openByName(path)
}

// from one open folder to the next: whatever takes the place of a name meanwhile is not entered
async function openStepByStep({ folders }: AllowedFolders, path: string): Promise<OpenFolder> {
  const top = folders.find((folder) => liesIn(folder, path))
  if (top === undefined) throw outsideError(path)
  let handle = await open(top, folderOnly)
  try {
    for (const name of relative(top, path).split(sep).filter(Boolean)) {
      const next = await enter(pathOf(handle), name, path)
      await handle.close()
      handle = next
    }
  } catch (error) {
    await handle.close()
    throw error
  }
  return { path: pathOf(handle), [Symbol.asyncDispose]: () => handle.close() }
}

async function enter(folder: string, name: string, path: string): Promise<FileHandle> {
  await mkdir(`${folder}/${name}`).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  return open(`${folder}/${name}`, folderOnly).catch((error) => {
    throw error.code === 'ELOOP' || error.code === 'ENOTDIR' ? outsideError(path) : error
  })
}

function pathOf({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`
}

// elsewhere a folder that is open cannot be named
async function openByName(path: string): Promise<OpenFolder> {
  await mkdir(path, { recursive: true })
  if ((await realpath(path)) !== path) throw outsideError(path)
  return { path, [Symbol.asyncDispose]: async () => {} }
}
