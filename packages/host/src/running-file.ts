import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Places } from './config/places.ts'
import { writeFileWhole } from './store/write-file.ts'

/** Where a running host is reached. */
export interface RunningAt {
  readonly url: string
  /** The secret of the API. */
  readonly token: string
  readonly pid: number
}

/** The file that tells the command where the host runs; only its owner can read it. */
export function runningFile({ state }: Pick<Places, 'state'>): string {
  return join(state, 'running.json')
}

export async function noteRunning(places: Places, at: Omit<RunningAt, 'pid'>): Promise<void> {
  await writeFileWhole(runningFile(places), `${JSON.stringify({ ...at, pid: process.pid })}\n`)
}

/** Removes the file, unless another process wrote it meanwhile. */
export async function forgetRunning(places: Places): Promise<void> {
  const running = await findRunning(places)
  if (running?.pid === process.pid) await rm(runningFile(places), { force: true })
}

/** The host that runs, as far as its process is there. */
export async function findRunning(places: Pick<Places, 'state'>): Promise<RunningAt | undefined> {
  try {
    const at = JSON.parse(await readFile(runningFile(places), 'utf8')) as RunningAt
    process.kill(at.pid, 0)
    return at
  } catch {
    return undefined
  }
}
