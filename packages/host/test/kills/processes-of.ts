import { readdirSync, readFileSync } from 'node:fs'
import { lacking } from '../../../../tools/lib/needs.ts'

/** Reason why a test that looks into `/proc` cannot run here, or false. */
export const noProc = lacking('linux', process.platform === 'linux')

/** A process that has an entry in its environment, such as `HOME=/tmp/x`; all that a host starts has its HOME. */
export interface Found {
  readonly pid: number
  readonly command: string
}

/** Every process that is alive and has this entry. */
export function processesOf(entry: string): readonly Found[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    // a dead process that is not yet collected has an empty one
    if (!read(`/proc/${pid}/environ`).split('\0').includes(entry)) return []
    return [{ pid: Number(pid), command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ') }]
  })
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
