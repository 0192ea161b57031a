/** The servers of the benchmark, for gateways to stand in front of. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

// these files are run as they are, and with their types erased
const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const fileOf = (name: string): string => fileURLToPath(new URL(`../${name}.${ending}`, import.meta.url))

/** The server over stdio. */
export const upstreamProgram = fileOf('trunkline/stdio')

/** A server that does not do what it should. */
export const sickProgram = fileOf('program/sick')

/** A server that sends as much of one kind as is taken. */
export const flooderProgram = fileOf('program/flooder')

/** Starts the server over HTTP beside this process; returns its address. */
export async function startHttp(): Promise<string> {
  const port = await freePort()
  const child = spawn(process.execPath, [fileOf('trunkline/http')], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}/mcp`
  while (!(await isThere(url))) await new Promise((resolve) => setTimeout(resolve, 20))
  return url
}

function isThere(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  )
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
