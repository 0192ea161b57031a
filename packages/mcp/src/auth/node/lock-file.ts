import { randomUUID } from 'node:crypto'
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { hasErrorCode } from './error-code.ts'

export interface LockOptions {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds between two attempts to take the lock, at most. @default 100 */
  readonly lookMs?: number
  /** Milliseconds after which a lock counts as abandoned. @default 600_000 */
  readonly staleMs?: number
}

interface Owner {
  readonly id: string
  readonly pid: number
  readonly host: string
}

const defaults = { lookMs: 100, staleMs: 600_000 } as const satisfies LockOptions

/** Takes a lock between processes, and holds it until it is disposed; the lock of a dead process is removed. */
export async function lockFile(path: string, options: LockOptions = {}): Promise<AsyncDisposable> {
  const { lookMs, staleMs, signal } = { ...defaults, ...options }
  const owner: Owner = { id: randomUUID(), pid: process.pid, host: hostname() }
  while (!(await claimed(path, owner))) {
    if (await cleared(path, staleMs)) continue
    await wait(lookMs * (0.5 + Math.random() / 2), undefined, signal && { signal })
  }
  return {
    async [Symbol.asyncDispose]() {
      if ((await ownerOf(path))?.id === owner.id) await rm(path, { force: true })
    },
  }
}

/** Creates the lock file with its owner in it, if there is none. */
async function claimed(path: string, owner: Owner): Promise<boolean> {
  const draft = `${path}.${owner.id}.tmp`
  await writeFile(draft, JSON.stringify(owner), { mode: 0o600 })
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/** Removes an abandoned lock; tells whether it did. */
async function cleared(path: string, staleMs: number): Promise<boolean> {
  const left = await ownerOf(path)
  if (!left || !(await isLeftBehind(path, left, staleMs))) return false
  // only one process may remove it, and not a lock that was made since
  const right = `${path}.${left.id}`
  if (!(await claimed(right, { ...left, id: randomUUID() }))) {
    if (await isOld(right, staleMs)) await rm(right, { force: true })
    return false
  }
  const isSame = (await ownerOf(path))?.id === left.id
  if (isSame) await rm(path, { force: true })
  await rm(right, { force: true })
  return isSame
}

async function isLeftBehind(path: string, { host, pid }: Owner, staleMs: number): Promise<boolean> {
  return (host === hostname() && !isRunning(pid)) || (await isOld(path, staleMs))
}

async function ownerOf(path: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Owner
  } catch (error) {
    if (error instanceof SyntaxError) return { id: 'nobody', pid: 0, host: '' }
    return undefined
  }
}

async function isOld(path: string, staleMs: number): Promise<boolean> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
  return Date.now() - mtimeMs > staleMs
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasErrorCode(error, 'EPERM')
  }
}
