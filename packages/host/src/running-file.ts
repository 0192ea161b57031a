import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Places } from './config/places.ts'
import { writeFileWhole } from './store/write-file.ts'

/** Where a running host is reached, and the secret with which. */
export interface RunningAt {
  readonly url: string
  /** The secret of the API, or that of connections of lines. */
  readonly token: string
  readonly pid: number
}

/** The secrets of a running host: one decides through its API, the other only lets clients call. */
export interface HostSecrets {
  readonly api: string
  readonly lines: string
}

/** The file that tells the command where the host runs; only its owner can read it. */
export function runningFile({ state }: Pick<Places, 'state'>): string {
  return join(state, 'running.json')
}

/** The file that tells `trunkline stdio` the same, without the secret of the API. */
function linesFile({ state }: Pick<Places, 'state'>): string {
  return join(state, 'lines.json')
}

export async function noteRunning(places: Places, url: string, { api, lines }: HostSecrets): Promise<void> {
  const textOf = (token: string) => `${JSON.stringify({ url, token, pid: process.pid })}\n`
  await writeFileWhole(linesFile(places), textOf(lines))
  await writeFileWhole(runningFile(places), textOf(api))
}

/** Removes the files, unless another process wrote them meanwhile. */
export async function forgetRunning(places: Places): Promise<void> {
  const running = await findRunning(places)
  if (running?.pid !== process.pid) return
  for (const file of [runningFile(places), linesFile(places)]) await rm(file, { force: true })
}

/** The host that runs, as far as its process is there. */
export function findRunning(places: Pick<Places, 'state'>): Promise<RunningAt | undefined> {
  return readRunning(runningFile(places))
}

/** The same for a client, which gets the secret of connections of lines and not that of the API. */
export function findLines(places: Pick<Places, 'state'>): Promise<RunningAt | undefined> {
  return readRunning(linesFile(places))
}

async function readRunning(file: string): Promise<RunningAt | undefined> {
  try {
    const at = JSON.parse(await readFile(file, 'utf8')) as RunningAt
    process.kill(at.pid, 0)
    return at
  } catch {
    return undefined
  }
}
