import { chmodSync, closeSync, existsSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isRunning } from '@trunkline/base/is-running'
import { makeFolder } from './make-folder.ts'

/** Makes the folder (0700) and an empty file (0600) if there is none; an existing one is closed to other users. */
export function prepareFile(path: string): void {
  makeFolder(dirname(path))
  if (existsSync(path)) return chmodSync(path, 0o600)
  closeSync(openSync(path, 'wx', 0o600))
  syncFolder(dirname(path))
}

/** Notes which process uses the file, for the sentence that a second one gets. */
export function noteOwner(path: string): void {
  writeFileSync(ownerFile(path), `${process.pid}\n`, { mode: 0o600 })
}

/** The process that uses the file as far as is known, in words. */
export function ownerOf(path: string): string | undefined {
  try {
    const pid = Number.parseInt(readFileSync(ownerFile(path), 'utf8'), 10)
    if (!isRunning(pid)) return undefined
    return pid === process.pid ? 'this process' : `process ${pid}`
  } catch {
    return undefined
  }
}

function ownerFile(path: string): string {
  return `${path}.pid`
}

/** Without this a new file may be gone after a power failure, whatever was synced into it. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
