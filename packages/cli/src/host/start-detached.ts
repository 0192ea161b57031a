import { spawn } from 'node:child_process'
import { openSync, readFileSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  findLines,
  findPlaces,
  findRunning,
  type HostStarter,
  hostEnvironment,
  makeFolder,
  type RunningAt,
  recordedEnvironment,
  thisMachine,
  withLock,
} from '@trunkline/host/api'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'
import { hostNodeFlags, hostVariables } from '../service/host-flags.ts'

/** Time that a host may take until it answers, also on a machine with much else to do; one that ends is noticed at once. */
const startMs = 60_000
const lookMs = 25
/** A disk with less space than this is full: no database fits on it. */
const leastBytes = 65_536

export interface StartOptions {
  /** Options of `up`. @default none */
  readonly options?: readonly string[]
  /** A client gets the secret with which it may call, any other command that of the API. @default 'command' */
  readonly starter?: HostStarter
}

/** The running host; one is started in the background when there is none, and only one at a time. */
export async function runningOrStarted({ options = [], starter = 'command' }: StartOptions = {}): Promise<RunningAt> {
  const places = findPlaces(thisMachine())
  const find = () => (starter === 'client' ? findLines(places) : findRunning(places))
  const running = await find()
  if (running) return running
  makeFolder(places.state)
  return withLock(join(places.state, 'start.lock'), async () => {
    const meanwhile = await find()
    if (meanwhile) return meanwhile
    const log = join(places.state, 'host.log')
    const output = openSync(log, 'w', 0o600)
    const program = fileURLToPath(new URL('../../bin/trunkline.js', import.meta.url))
    const recorded = await recordedEnvironment(places)
    const child = spawn(process.execPath, [...hostNodeFlags, program, 'up', '--json', '--background', ...options], {
      detached: true,
      stdio: ['ignore', output, output],
      env: { ...hostVariables, ...hostEnvironment(process.env, starter, recorded?.variables) },
    })
    child.unref()
    return waitFor(find, child, log)
  })
}

async function waitFor(
  find: () => Promise<RunningAt | undefined>,
  child: { readonly exitCode: number | null; readonly pid?: number | undefined },
  log: string,
): Promise<RunningAt> {
  const until = Date.now() + startMs
  while (Date.now() < until && child.exitCode === null) {
    const running = await find()
    if (running) return running
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
  throw new Failure(`Cannot start the host: ${whyNot(log)}`, {
    code: 'NoHost',
    exit: exitCodes.unreachable,
    hint: 'See what is wrong: trunkline up',
  })
}

/** The last thing that a host wrote which did not come up: the failure of `up --json`, or what the runtime said. */
function whyNot(log: string): string {
  const last = readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? ''
  if (last !== '') return failureIn(last) ?? last
  // a log that could not be written is empty
  const { bavail, bsize } = statfsSync(dirname(log))
  return bavail * bsize < leastBytes
    ? `the disk that holds "${dirname(log)}" is full; free some space, or set TRUNKLINE_HOME to a folder elsewhere`
    : `it said nothing; see ${log}`
}

function failureIn(line: string): string | undefined {
  try {
    const { error } = JSON.parse(line) as { readonly error?: { readonly message?: string } }
    return error?.message
  } catch {
    return undefined
  }
}
