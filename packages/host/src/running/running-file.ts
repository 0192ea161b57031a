import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isRunning } from '@trunkline/base/is-running'
import type { Places } from '../config/places.ts'
import { writeFileWhole } from '../store/write-file.ts'
import { answersHttp, provesItself } from './host-identity.ts'

/** Address of a running host, and the secret to reach it with. */
export interface RunningAt {
  readonly url: string
  /** The secret of the API, or that of connections of lines. */
  readonly token: string
  readonly pid: number
}

/** A file of a host: it may have been killed since, and its process number and port may be those of other programs. */
interface NotedHost extends RunningAt {
  /** True for hosts that answer challenges. @default false, which hosts of earlier versions leave out */
  readonly provesItself?: boolean
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
  const textOf = (token: string) => {
    const noted: NotedHost = { url, token, pid: process.pid, provesItself: true }
    return `${JSON.stringify(noted)}\n`
  }
  await writeFileWhole(linesFile(places), textOf(lines))
  await writeFileWhole(runningFile(places), textOf(api))
}

/** Removes the files, unless another process wrote them meanwhile. */
export async function forgetRunning(places: Places): Promise<void> {
  const noted = await readNoted(runningFile(places))
  if (noted?.pid !== process.pid) return
  for (const file of [runningFile(places), linesFile(places)]) await rm(file, { force: true })
}

/** The host that runs; one that does not answer as the host of these files does not count. */
export function findRunning(places: Pick<Places, 'state'>): Promise<RunningAt | undefined> {
  return findNoted(runningFile(places))
}

/** The same for a client, which gets the secret of connections of lines and not that of the API. */
export function findLines(places: Pick<Places, 'state'>): Promise<RunningAt | undefined> {
  return findNoted(linesFile(places))
}

async function findNoted(file: string): Promise<RunningAt | undefined> {
  const noted = await readNoted(file)
  if (!noted) return undefined
  const { url, token, pid } = noted
  // after an update the host of the earlier version still runs, and must be found to be ended
  const isThere = noted.provesItself ? await provesItself(noted) : isRunning(pid) && (await answersHttp(url))
  return isThere ? { url, token, pid } : undefined
}

async function readNoted(file: string): Promise<NotedHost | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as NotedHost
  } catch {
    return undefined
  }
}
