import { readFile } from 'node:fs/promises'
import { type System, thisSystem } from '@trunkline/base/system-programs'
import { listenerAt } from './lsof.ts'
import { everyPid, seeProcess } from './process-table.ts'
import { endOf, holds } from './socket-processes.ts'

/** Listening, in the tables of /proc/net. */
const listening = '0A'
const maxShown = 80

/** The program that listens on a TCP port of this machine, in words; undefined where the system does not tell. */
export async function portHolder(port: number, system: System = thisSystem): Promise<string | undefined> {
  const pid = system.platform === 'linux' ? await listenerInProc(port) : await listenerAt(port, system)
  if (pid === undefined) return undefined
  const words = (await seeProcess(pid, system))?.words ?? []
  const line = words.join(' ')
  const shown = line.length > maxShown ? `${line.slice(0, maxShown)}…` : line
  return shown === '' ? `process ${pid}` : `"${shown}" (process ${pid})`
}

async function listenerInProc(port: number): Promise<number | undefined> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  const links = tables.flatMap((table) => listenersIn(table, port)).map((inode) => `socket:[${inode}]`)
  if (links.length === 0) return undefined
  const pids = await everyPid()
  return pids.find((pid) => links.some((link) => holds(link, pid)))
}

/** The inodes of the sockets that listen on a port. @see https://docs.kernel.org/networking/proc_net_tcp.html */
export function listenersIn(table: string, port: number): readonly string[] {
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode = '0'] = line.trim().split(/\s+/)
    return state === listening && local.endsWith(endOf(port)) && inode !== '0' ? [inode] : []
  })
}
