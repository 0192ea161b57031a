import { readdir, readFile } from 'node:fs/promises'
import { psProcesses } from '@trunkline/base/ps'
import { type System, thisSystem } from '@trunkline/base/system-programs'

/** One process of a server. */
export interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  readonly command: string
  /** Resident memory. */
  readonly bytes: number
}

const pageBytes = 4_096

/** All processes of the group that `leader` leads; empty where the system does not tell. */
export async function processesOf(leader: number, system: System = thisSystem): Promise<readonly ProcessInfo[]> {
  if (system.platform !== 'linux') return listedOf(leader, system)
  const names = await readdir('/proc').catch(() => [])
  const found = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((name) => readProcess(Number(name))))
  return found.flatMap((info) => (info && info.group === leader ? [info] : []))
}

async function listedOf(leader: number, system: System): Promise<readonly ProcessInfo[]> {
  const members = (await psProcesses('all', system)).filter(({ group }) => group === leader)
  return members.map(({ pid, parent, words, bytes }) => ({ pid, parent, command: words.join(' '), bytes }))
}

/** Resident memory of all of them together. */
export async function memoryOf(leader: number, system: System = thisSystem): Promise<number> {
  return (await processesOf(leader, system)).reduce((sum, { bytes }) => sum + bytes, 0)
}

async function readProcess(pid: number): Promise<(ProcessInfo & { readonly group: number }) | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // the name stands in parentheses and may hold anything
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [, parent, group] = fields
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    const command = line.replaceAll('\0', ' ').trim()
    return { pid, parent: Number(parent), group: Number(group), command, bytes: Number(fields[21]) * pageBytes }
  } catch {
    // it ended while we looked
    return undefined
  }
}
