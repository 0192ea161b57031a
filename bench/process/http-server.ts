import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { NotThereYet, type Running, type StartOptions, startProgram } from './program.ts'

/** A server that listens. */
export interface HttpServer extends Running {
  readonly port: number
}

/** Options for starting a server over HTTP. */
export interface HttpServerOptions extends StartOptions {
  /** Tools that it offers. @default 1 */
  readonly tools?: number
  /** True if it offers the tool that reports progress. @default false */
  readonly steps?: boolean
}

const patienceMs = 20_000
const betweenTriesMs = 3

/** Starts a server and waits until it takes connections. */
export async function startHttpServer(program: string, options: HttpServerOptions = {}): Promise<HttpServer> {
  const { tools = 1, steps = false, env, ...rest } = options
  const port = await freePort()
  const settings = { PORT: String(port), TOOLS: String(tools), STEPS: steps ? '1' : '0', ...env }
  const server = startProgram(program, { ...rest, env: settings })
  await listening(server, port)
  return { ...server, port }
}

async function listening(server: Running, port: number): Promise<void> {
  let gone = false
  void server.exited.then(() => {
    gone = true
  })
  for (const start = performance.now(); performance.now() - start < patienceMs; await wait(betweenTriesMs)) {
    if (gone) throw new NotThereYet(server.lastWords())
    if (await takesConnections(port)) return
  }
  await server.end()
  throw new NotThereYet(`it does not listen after ${patienceMs} ms`)
}

function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('Cannot find a free port')
  return address.port
}
