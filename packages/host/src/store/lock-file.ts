import { dirname } from 'node:path'
import { lockFile } from '@trunkline/base/lock-file'
import { makeFolder } from './make-folder.ts'

/** Options of the wait for a lock. */
export interface FileLockOptions {
  /** Time limit of the wait for another process. @default 5000 */
  readonly timeoutMs?: number
}

const defaults = { timeoutMs: 5_000 } as const satisfies FileLockOptions
const lookMs = 40

/** Runs work while no other process of this machine runs work under the same lock; one that died holds none. */
export async function withLock<T>(path: string, work: () => Promise<T>, options: FileLockOptions = {}): Promise<T> {
  const { timeoutMs = defaults.timeoutMs } = options
  makeFolder(dirname(path))
  await using _lock = await lockFile(path, { timeoutMs, lookMs })
  return await work()
}
