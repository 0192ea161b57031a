import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { lockFile } from '@trunkline/base/lock-file'
import { replaceFile } from '@trunkline/base/replace-file'
import { NamedMutex } from '../../stores/named-mutex.ts'
import type { SecretStore } from '../../stores/secret-store.ts'
import { AuthError } from '../shared/auth-error.ts'
import { hasErrorCode } from './error-code.ts'

/** Stores each secret in its own file, which only the user can read. */
export function nodeFileSecrets(folder: string): SecretStore {
  const turns = new NamedMutex()
  const pathOf = (name: string): string => join(folder, `${createHash('sha256').update(name).digest('hex')}.json`)
  return {
    get: (name) => inFolder(folder, () => readSecret(pathOf(name))),
    set: (name, secret) => inFolder(folder, () => writeSecret(folder, pathOf(name), secret)),
    delete: (name) => inFolder(folder, () => rm(pathOf(name), { force: true })),
    alone(name, task, signal) {
      const lock = async (): Promise<AsyncDisposable> => {
        await makePrivate(folder)
        return lockFile(`${pathOf(name)}.lock`, { signal })
      }
      // processes wait for each other by polling, so within a process only one waiter polls
      const locked = async () => {
        await using _lock = await inFolder(folder, lock, signal)
        return await task()
      }
      return turns.run(name, locked, signal)
    },
  }
}

/** Adds the folder to errors. */
async function inFolder<Result>(folder: string, task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  try {
    return await task()
  } catch (cause) {
    signal?.throwIfAborted()
    const fix = 'give "fileSecrets" a folder in which the user may write'
    throw new AuthError('store', `Cannot store credentials in "${folder}": ${(cause as Error).message}; ${fix}`, {
      cause,
    })
  }
}

async function readSecret(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Replaces the file atomically. */
async function writeSecret(folder: string, path: string, secret: string): Promise<void> {
  await makePrivate(folder)
  const draft = `${path}.${randomUUID()}.tmp`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(secret)
      await file.sync()
    } finally {
      await file.close()
    }
    await replaceFile(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Makes a folder and the missing ones above it. Node's recursive `mkdir` never returns below /proc. */
async function makePrivate(folder: string): Promise<void> {
  if (await isFolder(folder)) return
  if (dirname(folder) !== folder) await makePrivate(dirname(folder))
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    // another process may have been faster
    if (!(await isFolder(folder))) throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
