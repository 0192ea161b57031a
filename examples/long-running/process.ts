import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A process of the server, and its address once it listens. */
export interface Running {
  readonly child: ChildProcess
  readonly url: URL
}

/** Starts the server on a port; 0 takes a free one. */
export async function start(port: string, file: string, diary: string): Promise<Running> {
  const program = fileURLToPath(new URL('server.ts', import.meta.url))
  const child = spawn(process.execPath, ['--no-warnings', program, port, file, diary], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  return { child, url: new URL(line) }
}

/** Ends a process as nothing else does: it cannot prepare for it. */
export async function kill({ child }: Running): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}
