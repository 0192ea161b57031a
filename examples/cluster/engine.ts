import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** A running engine. */
export interface Engine {
  readonly name: string
  /** Address that processes are given. */
  readonly address: string
  stop(): Promise<void>
}

/** Uses the engine at the address in `CLUSTER`, or starts one that is installed, in a temporary folder. */
export async function startEngine(): Promise<Engine> {
  const address = process.env.CLUSTER
  if (address !== undefined) return { name: new URL(address).host, address, stop: async () => {} }
  const redis = find('redis-server')
  if (redis !== undefined) return startRedis(redis)
  const postgres = find('postgres') ?? globSync('/usr/lib/postgresql/*/bin/postgres').at(-1)
  if (postgres !== undefined) return startPostgres(postgres)
  throw new Error('Install redis-server or postgresql, or set CLUSTER to the address of one: redis://127.0.0.1:6379')
}

/** Path of a program; undefined if it is not installed. */
function find(program: string): string | undefined {
  const folders = process.env.PATH?.split(delimiter) ?? []
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path))
}

async function startRedis(program: string): Promise<Engine> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'))
  const stop = await start(program, ['--port', `${port}`, '--save', ''], { cwd: folder })
  return { name: 'Redis', address: `redis://127.0.0.1:${port}`, stop }
}

async function startPostgres(program: string): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'))
  const data = join(folder, 'data')
  const options = { cwd: folder, ...userFor(folder) }
  const initdb = join(dirname(realpathSync(program)), 'initdb')
  execFileSync(initdb, ['-D', data, '-U', 'counter', '-A', 'trust'], { ...options, stdio: 'ignore' })
  const stop = await start(program, ['-D', data, '-k', folder, '-c', 'listen_addresses='], options)
  return { name: 'PostgreSQL', address: `postgresql://counter@/postgres?host=${encodeURIComponent(folder)}`, stop }
}

/** PostgreSQL does not run as root: root starts it as the user that its package made. */
function userFor(folder: string): object {
  if (process.getuid?.() !== 0) return {}
  const idOf = (option: string): number => Number(execFileSync('id', [option, 'postgres']))
  const user = { uid: idOf('-u'), gid: idOf('-g') }
  chownSync(folder, user.uid, user.gid)
  return user
}

/** Starts an engine, and resolves when it says that it is ready, to what stops it and deletes its folder. */
async function start(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string },
): Promise<() => Promise<void>> {
  const engine = spawn(program, args, options)
  let said = ''
  await new Promise<void>((resolve, reject) => {
    const listen = (text: Buffer): void => {
      said += text
      if (/ready to accept connections/i.test(said)) resolve()
    }
    engine.stdout.on('data', listen)
    engine.stderr.on('data', listen)
    engine.once('exit', () => reject(new Error(`Cannot start ${program}:\n${said}`)))
  })
  return async () => {
    engine.kill('SIGINT')
    await once(engine, 'exit')
    rmSync(options.cwd, { recursive: true, force: true })
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, 'close')
  return port
}
