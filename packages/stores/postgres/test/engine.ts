/** A PostgreSQL server of a test: in a temporary folder, on a socket of its own, gone with the test. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../../tools/lib/free-port.ts'
import { selfSigned } from '../../../../tools/lib/self-signed.ts'
import { until } from '../../../../tools/lib/until.ts'

/** A server of a test. */
export interface TestEngine extends AsyncDisposable {
  /** Address of a database, which has no tables. */
  readonly url: string
  /** Path of the socket on which it listens. */
  readonly socket: string
  /** Port of 127.0.0.1 for TLS, if it was asked for. */
  readonly tls: TlsPort | undefined
  /** Folder of its data, which a test may change while it is stopped. */
  readonly data: string
  /** Ends the server at once, as a crash does. */
  stop(): Promise<void>
  /** Starts the server again. */
  start(): Promise<void>
}

/** A port that takes TLS, and the certificate that it shows. */
export interface TlsPort {
  readonly port: number
  readonly cert: string
}

/** Wishes of a test. */
export interface EngineWants {
  /** True for a port that takes TLS. @default false */
  readonly tls?: boolean
  /** Connections that it allows. @default 50 */
  readonly connections?: number
}

/** The folder of the newest installed server; undefined if there is none. */
export function serverPrograms(): string | undefined {
  const installed = globSync('/usr/lib/postgresql/*/bin/postgres').sort()
  return installed.at(-1)?.replace(/\/postgres$/, '')
}

/** Starts a server; it does not run as root, so that root starts it as the user that its package made. */
export async function startEngine(wants: EngineWants = {}): Promise<TestEngine> {
  const bin = serverPrograms()
  if (bin === undefined) throw new Error('Cannot start PostgreSQL: install the package "postgresql"')
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-pg-'))
  const user = process.getuid?.() === 0 ? identity('postgres') : undefined
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const options = { cwd: folder, stdio: 'ignore', ...user } as const
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--no-sync'], options)
  askPasswordOf('guarded', join(data, 'pg_hba.conf'))
  const port = wants.tls ? await freePort() : 5432
  const signed = wants.tls ? selfSigned(data) : undefined
  if (user && signed) for (const path of Object.values(signed)) chownSync(path, user.uid, user.gid)
  const settings = [
    'fsync=off',
    `max_connections=${wants.connections ?? 50}`,
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    ...(signed
      ? ['listen_addresses=127.0.0.1', 'ssl=on', `ssl_cert_file=${signed.cert}`, `ssl_key_file=${signed.key}`]
      : ['listen_addresses=']),
  ]
  const args = ['-D', data, ...settings.flatMap((each) => ['-c', each])]
  const socket = join(folder, `.s.PGSQL.${port}`)
  let stop = async (): Promise<void> => {}
  const start = async (): Promise<void> => {
    const engine = spawn(join(bin, 'postgres'), args, options)
    const ended = once(engine, 'exit')
    stop = async () => {
      // ends at once and leaves its files as after a crash
      engine.kill('SIGQUIT')
      await ended
    }
    await until(() => existsSync(socket) && isReady(bin, folder, port), 'the server to listen')
  }
  await start()
  return {
    url: `postgresql://test@/postgres?host=${encodeURIComponent(folder)}&port=${port}`,
    socket,
    tls: signed && { port, cert: readFileSync(signed.cert, 'utf8') },
    data,
    stop: () => stop(),
    start,
    async [Symbol.asyncDispose]() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Lets one user in by its password alone; all others need none. */
function askPasswordOf(user: string, rulesPath: string): void {
  writeFileSync(rulesPath, `local all ${user} scram-sha-256\n${readFileSync(rulesPath, 'utf8')}`)
}

function isReady(bin: string, folder: string, port: number): boolean {
  try {
    execFileSync(join(bin, 'pg_isready'), ['-h', folder, '-p', String(port), '-q'])
    return true
  } catch {
    return false
  }
}

function identity(user: string): { readonly uid: number; readonly gid: number } {
  const number = (option: string): number => Number(execFileSync('id', [option, user], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}
