import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { root } from '../lib/files.ts'

/** A server that runs until it is stopped. */
export interface Fixture extends AsyncDisposable {
  readonly url: string
}

/** Starts a program that serves MCP on a port of its choice and says so in its first line. */
export async function startServer(program: string, more: NodeJS.ProcessEnv = {}): Promise<Fixture> {
  const env = { ...process.env, PORT: '0', ...more }
  const child = spawn(process.execPath, [program], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk
  })
  const closed = once(child, 'close')
  const url = await Promise.race([addressIn(child.stdout), closed.then(() => undefined)])
  if (url === undefined) throw new Error(`Cannot start "${program}": it ended at once\n${complaints}`)
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill()
      await closed
    },
  }
}

async function addressIn(output: NodeJS.ReadableStream): Promise<string | undefined> {
  for await (const line of createInterface(output)) return /https?:\S+/.exec(line)?.[0]
  return undefined
}
