import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Report } from './programs/site.ts'

/** Starts the Worker, and asks it what it finds out about itself. */
export async function checkWorker(binary: string): Promise<Report> {
  const config = join(import.meta.dirname, 'workerd.capnp')
  const args = ['serve', config, '--socket-addr=http=127.0.0.1:0', '--control-fd=3']
  const child = spawn(binary, args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
  let noise = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    noise += chunk
  })
  try {
    const port = await listening(child)
    if (port === undefined) throw new Error(`Cannot start workerd\n${noise}`)
    return (await (await fetch(`http://127.0.0.1:${port}/check`)).json()) as Report
  } finally {
    // asked to end, it would wait for every stream to end first
    child.kill('SIGKILL')
  }
}

/** The port that workerd chose, or nothing when it ended before. */
async function listening(child: ChildProcess): Promise<number | undefined> {
  const events = createInterface(child.stdio[3] as Readable)
  const first = await Promise.race([once(events, 'line'), once(events, 'close')])
  return first[0] === undefined ? undefined : (JSON.parse(first[0]) as { port: number }).port
}
