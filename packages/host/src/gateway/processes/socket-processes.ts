import { execFile } from 'node:child_process'
import { readdirSync, readlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setImmediate as breathe } from 'node:timers/promises'
import { everyPid } from './process-table.ts'

/** An accepted connection on loopback, seen from the side that listens. */
export interface AcceptedSocket {
  readonly localPort?: number | undefined
  readonly remotePort?: number | undefined
}

/**
 * The processes at the other end of a connection: `seen` with all that hold it, `hidden` where the other end is there
 * and no process can be seen to hold it, `gone` where it is closed, `unknown` on systems that do not tell.
 */
export type SocketProcesses =
  | { readonly is: 'seen'; readonly pids: readonly number[] }
  | { readonly is: 'hidden' | 'gone' | 'unknown' }

const lsofMs = 5_000

/** Finds the processes at the other end of an accepted connection; looks at the likely ones first. */
export async function processesAt(socket: AcceptedSocket, likely: Iterable<number> = []): Promise<SocketProcesses> {
  const { localPort = 0, remotePort = 0 } = socket
  if (process.platform === 'linux') return inProc({ localPort, remotePort }, likely)
  return process.platform === 'win32' ? { is: 'unknown' } : byLsof({ localPort, remotePort })
}

type Ports = Required<AcceptedSocket> & { readonly localPort: number; readonly remotePort: number }

async function inProc(ports: Ports, likely: Iterable<number>): Promise<SocketProcesses> {
  const inode = await inodeTo(ports)
  if (inode === 'unknown' || inode === 'gone') return { is: inode }
  const link = `socket:[${inode}]`
  for (const pid of likely) if (holds(link, pid)) return { is: 'seen', pids: [pid] }
  const pids: number[] = []
  // the newest first; other work goes on in between
  for (const pid of [...(await everyPid())].reverse()) {
    if (holds(link, pid)) pids.push(pid)
    await breathe()
  }
  return pids.length > 0 ? { is: 'seen', pids } : { is: 'hidden' }
}

/** The inode of the other end; a socket that can speak IPv6 too is in the second table. */
async function inodeTo(ports: Ports): Promise<string> {
  let isTold = false
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const table = await readFile(file, 'utf8').catch(() => undefined)
    const inode = table === undefined ? undefined : socketTo(ports, table)
    if (inode !== undefined) return inode
    isTold ||= table !== undefined
  }
  return isTold ? 'gone' : 'unknown'
}

/**
 * The inode of the socket at the other end of a connection that this side accepted; undefined once it is closed.
 * @see https://docs.kernel.org/networking/proc_net_tcp.html
 */
export function socketTo({ localPort, remotePort }: Ports, table: string): string | undefined {
  const [its, ours] = [remotePort, localPort].map(endOf)
  for (const line of table.split('\n')) {
    const [, local = '', remote = '', , , , , , , inode = '0'] = line.trim().split(/\s+/)
    if (local.endsWith(its ?? '') && remote.endsWith(ours ?? '') && inode !== '0') return inode
  }
  return undefined
}

/** The end of an address with a port, as in the tables of /proc/net. */
export function endOf(port: number): string {
  return `:${port.toString(16).toUpperCase().padStart(4, '0')}`
}

/** True when a process holds a socket. Read at once, since a hundred small reads that each wait for a thread take ten times as long. */
export function holds(link: string, pid: number): boolean {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).some((name) => linkAt(`${folder}/${name}`) === link)
  } catch {
    // that of another user, or of a process that ended
    return false
  }
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

function byLsof({ localPort, remotePort }: Ports): Promise<SocketProcesses> {
  return new Promise((resolve) => {
    const args = ['-nP', `-iTCP@127.0.0.1:${localPort}`, '-Fpn']
    execFile('lsof', args, { timeout: lsofMs }, (error, stdout) => {
      if (error && stdout === '') return resolve({ is: 'unknown' })
      const pids = pidsIn(stdout, `:${remotePort}->127.0.0.1:${localPort}`)
      resolve(pids.length > 0 ? { is: 'seen', pids } : { is: 'hidden' })
    })
  })
}

/** The processes in the fields of lsof that have a connection with this end. */
export function pidsIn(fields: string, end: string): readonly number[] {
  const pids: number[] = []
  let pid = 0
  for (const line of fields.split('\n')) {
    if (line.startsWith('p')) pid = Number(line.slice(1))
    else if (line.startsWith('n') && line.endsWith(end)) pids.push(pid)
  }
  return pids
}
