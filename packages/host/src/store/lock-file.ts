import { randomBytes } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from './make-folder.ts'

/** Options of the wait for a lock. */
export interface FileLockOptions {
  /** Time limit of the wait for another process. @default 5000 */
  readonly timeoutMs?: number
}

const defaults = { timeoutMs: 5_000 } as const satisfies FileLockOptions
const pauseMs = 20

/** Runs work while no other process of this machine runs work under the same lock; one that died holds none. */
export async function withLock<T>(path: string, work: () => Promise<T>, options: FileLockOptions = {}): Promise<T> {
  const { timeoutMs = defaults.timeoutMs } = options
  const mine = `${process.pid} ${randomBytes(6).toString('hex')} ${await startOf(process.pid)}\n`
  makeFolder(dirname(path))
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

/** Creates the lock file together with its content, so that no process sees a lock without its owner. */
async function take(path: string, mine: string): Promise<boolean> {
  const temporary = `${path}.${mine.trim().replaceAll(' ', '-')}`
  try {
    await writeFile(temporary, mine, { mode: 0o600 })
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
  if (seen === undefined || (await isAlive(seen))) return
  const aside = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await rename(path, aside)
    if ((await contentOf(aside)) !== seen) await link(aside, path)
  } catch {
    // another process was faster
  } finally {
    await rm(aside, { force: true })
  }
}

async function holder(path: string): Promise<string> {
  const pid = Number.parseInt((await contentOf(path)) ?? '', 10)
  return Number.isNaN(pid) ? 'another process holds it' : `process ${pid} holds it`
}

/** True while the process that wrote a lock runs; a later process of the same number holds nothing. */
async function isAlive(content: string): Promise<boolean> {
  const [pid = '', , start = ''] = content.trim().split(' ')
  try {
    process.kill(Number(pid), 0)
    const now = await startOf(Number(pid))
    return start === '' || now === '' || start === now
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM'
  }
}

/** Start time of a process, as the system counts; '' if it does not tell. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // the name stands in parentheses and may hold any character
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

async function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}
