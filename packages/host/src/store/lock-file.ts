import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** How to wait for a lock. */
export interface FileLockOptions {
  /** How long to wait for another process. @default 5000 */
  readonly timeoutMs?: number
}

const defaults = { timeoutMs: 5_000 } as const satisfies FileLockOptions
const pauseMs = 20

/** Runs work while no other process of this machine runs work under the same lock; one that died holds none. */
export async function withLock<T>(path: string, work: () => Promise<T>, options: FileLockOptions = {}): Promise<T> {
  const { timeoutMs = defaults.timeoutMs } = options
  const mine = `${process.pid} ${randomBytes(6).toString('hex')}\n`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const end = performance.now() + timeoutMs
  while (!(await take(path, mine))) {
    await dropStale(path)
    if (performance.now() > end) throw new Error(`Cannot lock "${path}": ${await holder(path)}; wait for it or stop it`)
    await sleep(pauseMs * (1 + Math.random()))
  }
  try {
    return await work()
  } finally {
    if ((await contentOf(path)) === mine) await rm(path, { force: true })
  }
}

/** A file appears with its content, so that nobody sees a lock without its owner. */
async function take(path: string, mine: string): Promise<boolean> {
  const temporary = `${path}.${mine.trim().replace(' ', '-')}`
  await writeFile(temporary, mine, { mode: 0o600 })
  try {
    await link(temporary, path)
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Removes the lock of a process that died; one that was taken meanwhile is put back. */
async function dropStale(path: string): Promise<void> {
  const seen = await contentOf(path)
  if (seen === undefined || isAlive(seen)) return
  const aside = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await rename(path, aside)
    if ((await contentOf(aside)) !== seen) await link(aside, path)
  } catch {
    // somebody else was faster
  } finally {
    await rm(aside, { force: true })
  }
}

async function holder(path: string): Promise<string> {
  const pid = Number.parseInt((await contentOf(path)) ?? '', 10)
  return Number.isNaN(pid) ? 'another process holds it' : `process ${pid} holds it`
}

function isAlive(content: string): boolean {
  try {
    process.kill(Number.parseInt(content, 10), 0)
    return true
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM'
  }
}

async function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}
