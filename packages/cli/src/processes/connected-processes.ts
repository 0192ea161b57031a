import { execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { everyPid } from './process-table.ts'

/** The processes of this person that are connected to a port of loopback; none where that cannot be told. */
export async function connectedTo(port: number): Promise<readonly number[]> {
  if (process.platform === 'linux') return connectedInProc(port)
  return process.platform === 'win32' ? [] : connectedByLsof(port)
}

async function connectedInProc(port: number): Promise<readonly number[]> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  const sockets = new Set(tables.flatMap((table) => socketsTo(port, table)))
  if (sockets.size === 0) return []
  const pids = await everyPid()
  const holding = await Promise.all(pids.map((pid) => holdsOneOf(sockets, pid)))
  return pids.filter((_, at) => holding[at])
}

/** The inodes of established connections to a port. @see https://docs.kernel.org/networking/proc_net_tcp.html */
export function socketsTo(port: number, table: string): readonly string[] {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return table.split('\n').flatMap((line) => {
    const [, , remote = '', state, , , , , , inode = ''] = line.trim().split(/\s+/)
    return remote.endsWith(wanted) && state === '01' && inode !== '0' ? [inode] : []
  })
}

async function holdsOneOf(sockets: ReadonlySet<string>, pid: number): Promise<boolean> {
  const folder = `/proc/${pid}/fd`
  // those of others cannot be read
  const names = await readdir(folder).catch(() => [])
  const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')))
  return links.some((link) => link.startsWith('socket:[') && sockets.has(link.slice('socket:['.length, -1)))
}

function connectedByLsof(port: number): Promise<readonly number[]> {
  return new Promise((resolve) => {
    const args = ['-nP', `-iTCP@127.0.0.1:${port}`, '-sTCP:ESTABLISHED', '-Fpn']
    execFile('lsof', args, { timeout: 5_000 }, (_error, stdout) => {
      const pids: number[] = []
      let pid = 0
      for (const line of stdout.split('\n')) {
        if (line.startsWith('p')) pid = Number(line.slice(1))
        // the side that connected names the port last
        else if (line.startsWith('n') && line.endsWith(`->127.0.0.1:${port}`)) pids.push(pid)
      }
      resolve(pids)
    })
  })
}
