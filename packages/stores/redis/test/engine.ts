/** A Redis server of a test: on a free port, without files, gone with the test. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from '../../../../tools/lib/free-port.ts'

/** A running server. */
export interface TestEngine extends AsyncDisposable {
  /** Host and port of the server, which takes no password. */
  readonly address: string
  readonly port: number
  /** Sends a signal to the process of the server. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** Ends the server at once, as a crash does. */
  stop(): Promise<void>
  /** Starts the server again, without what it had. */
  start(): Promise<void>
}

/** The path of the installed server; undefined if there is none. */
export function serverProgram(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, 'redis-server')).find((path) => existsSync(path))
}

/** Starts a server with some settings more; a port that something else takes first is replaced by another. */
export async function startEngine(more: readonly string[] = []): Promise<TestEngine> {
  const program = serverProgram()
  if (program === undefined) throw new Error('Cannot start Redis: install the package "redis-server"')
  const port = await freePort()
  const settings = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no', ...more]
  let running = await launch(program, settings)
  if (!running) return startEngine(more)
  const stop = async (): Promise<void> => {
    running?.engine.kill('SIGKILL')
    await running?.ended
  }
  return {
    address: `127.0.0.1:${port}`,
    port,
    signal: (signal) => void running?.engine.kill(signal),
    stop,
    async start() {
      running = await launch(program, settings)
      if (!running) throw new Error(`Cannot start Redis again: something else took port ${port}`)
    },
    [Symbol.asyncDispose]: stop,
  }
}

/** Starts the program and waits until it listens; undefined if something else has its port. */
async function launch(program: string, settings: readonly string[]) {
  const engine = spawn(program, settings, { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(engine, 'exit')
  let log = ''
  for await (const text of engine.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    log += text
    if (log.includes('Ready to accept connections')) break
  }
  engine.stdout.resume()
  if (log.includes('Address already in use')) return undefined
  if (engine.exitCode !== null) throw new Error(`Cannot start Redis: ${log}`)
  return { engine, ended }
}
