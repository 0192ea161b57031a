import { execFile } from 'node:child_process'
import type { Machine } from '../clients/client-files.ts'

/** What a program needs to run at all, and what tells it where and for whom. */
const kept =
  process.platform === 'win32'
    ? ['USERPROFILE', 'USERNAME', 'HOMEDRIVE', 'HOMEPATH', 'SYSTEMROOT', 'SYSTEMDRIVE', 'TEMP', 'TMP', 'APPDATA']
    : ['HOME', 'USER', 'LANG', 'TMPDIR']
/** A shell that takes longer waits for somebody. */
const shellMs = 5_000

/** The environment that every program gets; its own variables are added, and nothing else of the host's. */
export function baseEnvironment({ environment }: Machine, path: string): { readonly [name: string]: string } {
  const own = kept.flatMap((name) => {
    const value = environment[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { PATH: path, ...Object.fromEntries(own) }
}

/** The search path of the person's login shell; editors and services start the host with a shorter one. */
export async function loginPath({ environment, platform }: Machine): Promise<string> {
  const own = environment.PATH ?? ''
  const { SHELL: shell } = environment
  if (platform === 'win32' || shell === undefined) return own
  const marker = `path-${process.pid}-`
  const printed = await new Promise<string>((resolve) => {
    const options = { timeout: shellMs, env: { ...environment } as NodeJS.ProcessEnv, maxBuffer: 1024 * 1024 }
    // what a profile prints stands before the marker
    const child = execFile(shell, ['-l', '-c', `printf '%s%s' ${marker} "$PATH"`], options, (error, stdout) =>
      resolve(error ? '' : stdout),
    )
    child.stdin?.end()
  })
  const found = printed.includes(marker) ? printed.slice(printed.lastIndexOf(marker) + marker.length) : ''
  return joined(found, own)
}

/** Both paths, each folder once; the shell's come first. */
function joined(first: string, second: string): string {
  return [...new Set([...first.split(':'), ...second.split(':')])].filter((folder) => folder !== '').join(':')
}
