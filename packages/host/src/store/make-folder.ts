import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StoreError, type StoreErrorCode } from './errors.ts'

/**
 * Makes a folder and the missing ones above it, for their owner alone; a `StoreError` says why it cannot be. Node's own
 * recursive `mkdir` never returns where the parent is there and takes no folder, as below /proc.
 */
export function makeFolder(path: string): void {
  try {
    if (isFolder(path)) return
    if (dirname(path) !== path) makeFolder(dirname(path))
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (error instanceof StoreError) throw error
    // another process was faster
    if (isFolder(path)) return
    throw cannotMake(path, error as NodeJS.ErrnoException)
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function cannotMake(path: string, cause: NodeJS.ErrnoException): StoreError {
  const [code, why] = reasonOf(path, cause)
  const message = `Cannot make the folder "${path}": ${why}, or set TRUNKLINE_HOME to another folder`
  return new StoreError(code, message, { cause })
}

function reasonOf(path: string, { code, message }: NodeJS.ErrnoException): readonly [StoreErrorCode, string] {
  if (code === 'EEXIST' || code === 'ENOTDIR') return ['Unusable', `a file of that name is in the way; move it away`]
  if (code === 'ENOENT') return ['Unusable', `nothing can be made in "${dirname(path)}"; choose another place`]
  if (code === 'ENOSPC' || code === 'EDQUOT') return ['Full', 'the disk is full; free some space']
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return ['ReadOnly', `"${dirname(path)}" is read-only; make it writable`]
  return ['Unusable', `${message}; choose another place`]
}
