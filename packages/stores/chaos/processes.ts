/** Processes of the server under faults, each with a proxy of its own before the engine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { programFile } from '../../../tools/lib/program-file.ts'
import { type Filter, startProxy, type TcpProxy } from '../../../tools/lib/tcp-proxy.ts'
import type { ChaosEngine } from './engines.ts'

const program = programFile(new URL('server-process.ts', import.meta.url))
/** Time before a process that ended is started again. */
const restartMs = 300

/** A place in which a process runs, and another one after it. */
export interface Place {
  /** Address at which the process serves; undefined while there is none. */
  url: string | undefined
  readonly proxy: TcpProxy
  /** True to drop what tells the process of news. */
  isDeaf: boolean
  /** Keys with which the next process of this place seals, the first one, and opens. */
  keys: readonly string[]
  /** Keys of the process that serves. */
  servedKeys: readonly string[] | undefined
  signal(signal: NodeJS.Signals): void
  close(): Promise<void>
}

/** Settings of the processes. */
export interface PlaceOptions {
  readonly engine: ChaosEngine
  readonly recorder: string
  readonly leaseMs: number
  /** Milliseconds that a handler works which waits to be cancelled. */
  readonly hangMs: number
  /** Is told of each process that serves, and of each that ended, by its address. */
  onBegin?(process: string): void
  onEnd?(process: string): void
}

/** The key with which processes seal at first. */
export const firstKey = 'a key for the faults, of thirty-two characters and more'

/** Keeps a process running; it is started again whenever it ends. */
export async function openPlace(options: PlaceOptions): Promise<Place> {
  const { engine } = options
  const filter = (): Filter => {
    const silenced = engine.silence()
    return (chunk) => (place.isDeaf ? silenced(chunk) : chunk)
  }
  const proxy = await startProxy(engine.target, { filter })
  let child: ChildProcess | undefined
  let isClosed = false
  const place: Place = {
    url: undefined,
    proxy,
    isDeaf: false,
    keys: [firstKey],
    servedKeys: undefined,
    signal: (signal) => void child?.kill(signal),
    async close() {
      isClosed = true
      child?.kill('SIGKILL')
      await running
      await proxy[Symbol.asyncDispose]()
    },
  }
  const run = async (): Promise<void> => {
    while (!isClosed) {
      const { keys } = place
      child = startProcess(options, engine.addressAt(proxy.port, randomUUID()), { KEYS: JSON.stringify(keys) })
      const ended = once(child, 'exit')
      place.url = await firstLineOf(child)
      place.servedKeys = keys
      if (place.url !== undefined) options.onBegin?.(place.url)
      await ended
      if (place.url !== undefined) options.onEnd?.(place.url)
      place.url = undefined
      if (!isClosed) await new Promise((resolve) => setTimeout(resolve, restartMs))
    }
  }
  const running = run()
  return place
}

/** True if a process serves whose clock is an hour off; it does not start for other reasons too, such as a store that is away. */
export async function servesWithWrongClock(options: PlaceOptions, keys: readonly string[]): Promise<boolean> {
  await using proxy = await startProxy(options.engine.target)
  const more = { CLOCK_ERROR_MS: '3600000', KEYS: JSON.stringify(keys) }
  const child = startProcess(options, options.engine.addressAt(proxy.port, randomUUID()), more)
  const ended = once(child, 'close')
  const url = await firstLineOf(child)
  child.kill('SIGKILL')
  await ended
  return url !== undefined
}

function startProcess(options: PlaceOptions, address: string, more: object): ChildProcess {
  const { engine, recorder, leaseMs, hangMs } = options
  const env = {
    ...process.env,
    ENGINE: engine.name,
    ADDRESS: address,
    RECORDER: recorder,
    LEASE_MS: `${leaseMs}`,
    HANG_MS: `${hangMs}`,
    ...more,
  }
  return spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** The address that a process prints; undefined if it ends before. */
async function firstLineOf({ stdout, stderr }: ChildProcess): Promise<string | undefined> {
  stderr?.resume()
  if (!stdout) return undefined
  for await (const line of createInterface(stdout)) return line
  return undefined
}
