import { readFile } from 'node:fs/promises'
import { psEnvironments } from '@trunkline/base/ps'
import { type System, thisSystem } from '@trunkline/base/system-programs'
import { processMark } from '@trunkline/mcp/stdio'
import { keepsSessions } from './caller-chain.ts'
import type { SeenProcess } from './process-table.ts'

/** True if a process carries the mark of this host, which processes of its servers inherit. */
export async function carriesMark(pid: number, system: System = thisSystem): Promise<boolean> {
  const entries = await entriesOf(pid, system)
  return entries?.some((entry) => entry.startsWith(processMark)) ?? false
}

/**
 * True if a server may have left a process behind where nothing tells: its ancestors cannot be seen, or they ended, and
 * macOS does not show the environment of programs that came with it, such as /bin/sh.
 */
export async function mayBeLeft(line: readonly SeenProcess[], system: System = thisSystem): Promise<boolean> {
  if (system.platform !== 'darwin') return false
  if (line.some(({ pid }) => pid === process.pid)) return false
  const oldest = line.findLast(({ pid }) => pid > 1)
  if (!oldest || oldest.parent > 1) return true
  if (keepsSessions(oldest)) return false
  // an application that a person started
  if (/\.(?:app|xpc)\/Contents\//.test(oldest.words[0] ?? '')) return false
  return (await entriesOf(oldest.pid, system)) === undefined
}

/** The entries of a process's environment; undefined where the system does not tell. */
async function entriesOf(pid: number, system: System): Promise<readonly string[] | undefined> {
  if (system.platform === 'linux') {
    return (await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => undefined))?.split('\0')
  }
  // a mark has no spaces, so that it is whole among the pieces
  return (await psEnvironments(pid, system)).get(pid)?.split(' ')
}
