import { spawn } from 'node:child_process'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  findLines,
  findPlaces,
  findRunning,
  type HostStarter,
  hostEnvironment,
  type RunningAt,
  recordedEnvironment,
  thisMachine,
  withLock,
} from '@trunkline/host/api'
import { exitCodes } from '../failure/exit-code.ts'
import { Failure } from '../failure/failure.ts'
import { hostNodeFlags } from '../service/host-flags.ts'

/** How long a host may take until it answers. */
const startMs = 20_000
const lookMs = 25

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
  mkdirSync(places.state, { recursive: true, mode: 0o700 })
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
      env: hostEnvironment(process.env, starter, recorded?.variables),
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
  const said = readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? ''
  throw new Failure(`Cannot start the host: ${said === '' ? `it said nothing; see ${log}` : said}`, {
    code: 'NoHost',
    exit: exitCodes.unreachable,
    hint: 'See what is wrong: trunkline up',
  })
}
