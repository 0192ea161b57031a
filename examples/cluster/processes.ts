import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('server.ts', import.meta.url))

/** Keeps a number of processes running: one that ends is started again. */
export async function startProcesses(count: number, engine: string) {
  const running = new Map<ChildProcess, string | undefined>()
  let isOver = false

  async function start(): Promise<void> {
    const env = { ...process.env, CLUSTER: engine }
    const child = spawn(process.execPath, ['--no-warnings', program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    running.set(child, undefined)
    child.once('exit', () => {
      running.delete(child)
      if (!isOver) void start()
    })
    for await (const url of createInterface(child.stdout)) return void running.set(child, url)
  }

  await Promise.all(Array.from({ length: count }, start))
  return {
    addresses: () => [...running.values()].filter((url) => url !== undefined),
    /** Ends the process that has run longest, which cannot prepare for it; not while another one starts. */
    kill(): number | undefined {
      if ([...running.values()].includes(undefined)) return undefined
      const [child] = running.keys()
      child?.kill('SIGKILL')
      return child?.pid
    },
    /** Ends all at once; SIGTERM would give them time for calls under way. */
    async close(): Promise<void> {
      isOver = true
      const ended = [...running.keys()].map((child) => once(child, 'exit'))
      for (const child of running.keys()) child.kill('SIGKILL')
      await Promise.all(ended)
    },
  }
}
