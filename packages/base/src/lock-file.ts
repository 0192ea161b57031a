import { randomBytes } from 'node:crypto'
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { isRunning } from './is-running.ts'
import { psProcess } from './ps.ts'
import { type System, thisSystem } from './system-programs.ts'

/** Options of the wait for a lock. */
export interface LockOptions {
  readonly signal?: AbortSignal | undefined
  /** Time limit of the wait for another process; none where there is none. */
  readonly timeoutMs?: number
  /** Milliseconds between two attempts to take the lock, at most. @default 100 */
  readonly lookMs?: number
  /** Milliseconds after which a lock counts as abandoned. @default 600_000 */
  readonly staleMs?: number
  /** The system that tells when a process was started. @default the one that this process runs on */
  readonly system?: System
}

/** The process that holds a lock. */
interface Owner {
  readonly id: string
  readonly pid: number
  /** Start time of the process as its system counts; '' if that does not tell. */
  readonly start: string
  /** Name of its machine; '' stands for this one. */
  readonly host: string
}

/** By what an abandoned lock is told. */
type Judged = Required<Pick<LockOptions, 'staleMs' | 'system'>>

const defaults = { lookMs: 100, staleMs: 600_000, system: thisSystem } as const satisfies LockOptions

/** Takes a lock between processes, and holds it until it is disposed; the lock of a dead process is removed. */
export async function lockFile(path: string, options: LockOptions = {}): Promise<AsyncDisposable> {
  const { lookMs, timeoutMs = Number.POSITIVE_INFINITY, signal, ...judged } = { ...defaults, ...options }
  const start = await ownStart(judged.system)
  const owner: Owner = { id: newId(), pid: process.pid, start, host: hostname() }
  const end = performance.now() + timeoutMs
  while (!(await claimed(path, owner))) {
    if (await cleared(path, judged)) continue
    if (performance.now() > end) throw new Error(`Cannot lock "${path}": ${await holder(path)}; wait for it or stop it`)
    await wait(lookMs * (0.5 + Math.random() / 2), undefined, signal && { signal })
  }
  return {
    async [Symbol.asyncDispose]() {
      if ((await ownerOf(path))?.id === owner.id) await rm(path, { force: true })
    },
  }
}

/** Creates the lock file together with its owner, so that no process sees a lock without one. */
async function claimed(path: string, owner: Owner): Promise<boolean> {
  const draft = `${path}.${owner.id}.tmp`
  try {
    await writeFile(draft, written(owner), { mode: 0o600 })
    await link(draft, path)
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/** Removes an abandoned lock; tells whether it did. */
async function cleared(path: string, judged: Judged): Promise<boolean> {
  const left = await ownerOf(path)
  if (!left || !(await isLeftBehind(path, left, judged))) return false
  // only one process may remove it, and not a lock that was made since
  const right = `${path}.${left.id}`
  if (!(await claimed(right, { ...left, id: newId() }))) {
    if (await isOld(right, judged.staleMs)) await rm(right, { force: true })
    return false
  }
  const isSame = (await ownerOf(path))?.id === left.id
  if (isSame) await rm(path, { force: true })
  await rm(right, { force: true })
  return isSame
}

async function isLeftBehind(path: string, owner: Owner, { staleMs, system }: Judged): Promise<boolean> {
  const isHere = owner.host === '' || owner.host === hostname()
  return (isHere && !(await isAlive(owner, system))) || (await isOld(path, staleMs))
}

/** True while the process that took a lock runs; a later process of the same number holds nothing. */
async function isAlive({ pid, start }: Owner, system: System): Promise<boolean> {
  if (!isRunning(pid)) return false
  const now = await startOf(pid, system)
  return start === '' || now === '' || start === now
}

async function holder(path: string): Promise<string> {
  const { pid = 0 } = (await ownerOf(path)) ?? {}
  return pid === 0 ? 'another process holds it' : `process ${pid} holds it`
}

function written({ pid, id, start, host }: Owner): string {
  return `${pid} ${id} ${start} ${host}\n`
}

/** Owner of a lock; one that says nothing of itself runs for all that is known. */
async function ownerOf(path: string): Promise<Owner | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const [, pid, id = '', start = '', host = ''] = /^(\d+) (\S+)(?: (\d*))?(?: (\S+))?\n$/.exec(text) ?? []
  return pid === undefined
    ? { id: 'unknown', pid: 0, start: '', host: 'unknown' }
    : { pid: Number(pid), id, start, host }
}

/** Start time of this process, which never changes. */
function ownStart(system: System): Promise<string> {
  const known = ownStarts.get(system) ?? startOf(process.pid, system)
  ownStarts.set(system, known)
  return known
}

const ownStarts = new WeakMap<System, Promise<string>>()

/** Start time of a process, as the system counts; '' if it does not tell. */
async function startOf(pid: number, system: System): Promise<string> {
  if (system.platform !== 'linux') return (await psProcess(pid, system))?.startedAt ?? ''
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // the name stands in parentheses and may hold any character
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

async function isOld(path: string, staleMs: number): Promise<boolean> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
  return Date.now() - mtimeMs > staleMs
}

function newId(): string {
  return randomBytes(12).toString('hex')
}
