import { execFile } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import type { TerminalMode } from './terminal-question.ts'

/** The processes that another one started, as far as the system tells. */
export function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Mode of a process's terminal; undefined where the system does not tell. */
export function terminalMode(pid: number): Promise<TerminalMode | undefined> {
  return new Promise((resolve) => {
    let device: string
    try {
      device = readlinkSync(`/proc/${pid}/fd/0`)
    } catch {
      return resolve(undefined)
    }
    if (!/^\/dev\/pts\/\d+$/.test(device)) return resolve(undefined)
    execFile('stty', ['-F', device, '-a'], (error, stdout) => {
      if (error) return resolve(undefined)
      const words = new Set(stdout.split(/[\s;]+/))
      resolve({ echoes: words.has('echo'), editsLines: words.has('icanon') })
    })
  })
}
