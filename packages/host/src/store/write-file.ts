import { randomBytes } from 'node:crypto'
import { type FileHandle, open, realpath, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { replaceFile } from '@trunkline/base/replace-file'
import { makeFolder } from './make-folder.ts'

/**
 * Writes a file so that after a crash either the old or the new text is there, whole. The target of a link is written,
 * not the link; an existing file keeps its mode, a new one is for its owner alone.
 */
export async function writeFileWhole(path: string, text: string): Promise<void> {
  const target = await realpath(path).catch(() => path)
  makeFolder(dirname(target))
  const mode = await stat(target).then(
    (found) => found.mode & 0o777,
    () => 0o600,
  )
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await writeSynced(temporary, text, mode)
    await replaceFile(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(target))
}

async function writeSynced(path: string, text: string, mode: number): Promise<void> {
  await using file: FileHandle = await open(path, 'wx', mode)
  // chmod ignores the umask of the process
  await file.chmod(mode)
  await file.writeFile(text)
  await file.sync()
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  await using folder = await open(path, 'r')
  await folder.sync()
}
