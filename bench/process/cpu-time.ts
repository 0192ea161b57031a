import { once } from 'node:events'
import type { LoadOutcome } from '../load/load.ts'
import { erasedFile } from './places.ts'
import { NotThereYet, type Running } from './program.ts'

/** A round of calls, and what it cost the server. */
export interface MeteredOutcome extends LoadOutcome {
  /** Microseconds of processor time for each call, in all threads of the server. */
  readonly cpuMicros: number
}

/** The options of Node under which a program tells its processor time over its channel. */
export const cpuFlags: readonly string[] = ['--import', erasedFile('probe/cpu')]

/** Runs a round and looks at the server's processor time before and after. */
export async function metered(server: Running, round: () => Promise<LoadOutcome>): Promise<MeteredOutcome> {
  const before = await cpuTime(server)
  const outcome = await round()
  return { ...outcome, cpuMicros: ((await cpuTime(server)) - before) / outcome.calls }
}

async function cpuTime({ child, exited, lastWords }: Running): Promise<number> {
  const gone = exited.then(() => Promise.reject(new NotThereYet(lastWords())))
  const said = once(child, 'message')
  child.send('cpu')
  const [micros] = await Promise.race([said, gone])
  return micros
}
