import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'
import { type System, thisSystem } from '@trunkline/base/system-programs'
import { connectionsAt, pidsIn } from './lsof.ts'
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

/** Finds the processes at the other end of an accepted connection; looks at the likely ones first. */
export async function processesAt(
  socket: AcceptedSocket,
  likely: Iterable<number> = [],
  system: System = thisSystem,
): Promise<SocketProcesses> {
  const { localPort = 0, remotePort = 0 } = socket
  if (system.platform === 'linux') return inProc({ localPort, remotePort }, likely)
  return system.platform === 'win32' ? { is: 'unknown' } : byLsof({ localPort, remotePort }, system)
}

type Ports = Required<AcceptedSocket> & { readonly localPort: number; readonly remotePort: number }

/** A search for the processes of one connection. */
interface Search {
  readonly ports: Ports
  readonly likely: readonly number[]
  readonly settle: (found: SocketProcesses) => void
}

/** Share of the time that may go into reading /proc while connections keep arriving: one part of this many. */
const partsPerReading = 5
const maxPauseMs = 50

let searches: Search[] = []
let nextReadingAt = 0

/** Connections that arrive together share a reading: the table has a line for each connection of the machine. */
function inProc(ports: Ports, likely: Iterable<number>): Promise<SocketProcesses> {
  return new Promise((settle) => {
    if (searches.push({ ports, likely: [...likely], settle }) > 1) return
    const pauseMs = nextReadingAt - performance.now()
    if (pauseMs > 0) setTimeout(searchTogether, pauseMs)
    else setImmediate(searchTogether)
  })
}

function searchTogether(): void {
  const together = searches
  searches = []
  const start = performance.now()
  const proc = new ProcReading()
  for (const { ports, likely, settle } of together) void search(proc, ports, likely).then(settle)
  const end = performance.now()
  nextReadingAt = end + Math.min(maxPauseMs, (end - start) * (partsPerReading - 1))
}

async function search(proc: ProcReading, ports: Ports, likely: readonly number[]): Promise<SocketProcesses> {
  const inode = proc.inodeTo(ports)
  if (inode === 'unknown' || inode === 'gone') return { is: inode }
  const link = `socket:[${inode}]`
  for (const pid of likely) if (proc.linksOf(pid).has(link)) return { is: 'seen', pids: [pid] }
  const pids: number[] = []
  // the newest first; other work goes on in between
  for (const pid of [...(await everyPid())].reverse()) {
    if (proc.linksOf(pid).has(link)) pids.push(pid)
    await breathe()
  }
  return pids.length > 0 ? { is: 'seen', pids } : { is: 'hidden' }
}

/**
 * The parts of /proc that some searches need, each read once. They are read at once: the system hands a table out in
 * pieces of 4 KiB, and a hundred small reads that each wait for a thread take ten times as long.
 */
class ProcReading {
  readonly #tables = new Map<string, string | undefined>()
  readonly #links = new Map<number, ReadonlySet<string>>()

  /** The inode of the other end; a socket that can speak IPv6 too is in the second table. */
  inodeTo(ports: Ports): string {
    let isTold = false
    for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
      if (!this.#tables.has(file)) this.#tables.set(file, textAt(file))
      const table = this.#tables.get(file)
      const inode = table === undefined ? undefined : socketTo(ports, table)
      if (inode !== undefined) return inode
      isTold ||= table !== undefined
    }
    return isTold ? 'gone' : 'unknown'
  }

  /** The sockets and files that a process holds; none for that of another user, or for one that ended. */
  linksOf(pid: number): ReadonlySet<string> {
    const links = this.#links.get(pid) ?? new Set(readLinks(pid))
    this.#links.set(pid, links)
    return links
  }
}

/**
 * The inode of the socket at the other end of a connection that this side accepted; undefined once it is closed.
 * @see https://docs.kernel.org/networking/proc_net_tcp.html
 */
export function socketTo({ localPort, remotePort }: Ports, table: string): string | undefined {
  const [its, ours] = [remotePort, localPort].map(endOf)
  // state, queues, timer, retransmits, user, timeout, inode
  const line = new RegExp(`${its} [\\dA-F]+${ours} [\\dA-F]+ \\S+ \\S+ \\S+ +\\d+ +\\d+ (\\d+) `, 'g')
  for (const [, inode = '0'] of table.matchAll(line)) if (inode !== '0') return inode
  return undefined
}

/** The end of an address with a port, as in the tables of /proc/net. */
export function endOf(port: number): string {
  return `:${port.toString(16).toUpperCase().padStart(4, '0')}`
}

function textAt(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return undefined
  }
}

/** True when a process holds a socket. */
export function holds(link: string, pid: number): boolean {
  return readLinks(pid).includes(link)
}

function readLinks(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).map((name) => linkAt(`${folder}/${name}`))
  } catch {
    return []
  }
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** A search that fails is no reason to trust: it counts as a process that hides itself. */
async function byLsof({ localPort, remotePort }: Ports, system: System): Promise<SocketProcesses> {
  const pids = pidsIn(await connectionsAt(localPort, system), { from: remotePort, to: localPort })
  return pids.length > 0 ? { is: 'seen', pids } : { is: 'hidden' }
}
