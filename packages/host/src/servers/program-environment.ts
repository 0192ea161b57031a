import { execFile } from 'node:child_process'
import { delimiter } from 'node:path'
import type { Machine } from '../config/machine.ts'

/** Variables that a program needs to run at all, and that tell it the place and the user. */
const kept =
  process.platform === 'win32'
    ? [
        ...['USERPROFILE', 'USERNAME', 'HOMEDRIVE', 'HOMEPATH', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'TEMP', 'TMP'],
        // npm, uv and Python keep packages and caches there, and look for programs by these
        ...['APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES', 'COMSPEC', 'PATHEXT'],
      ]
    : ['HOME', 'USER', 'LANG', 'TMPDIR']
/** Time limit of a login shell; one that takes longer waits for input. */
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
export async function loginPath(machine: Machine): Promise<string> {
  const { PATH: found = '' } = await loginVariables(machine)
  return joinPaths(found, machine.environment.PATH ?? '')
}

/** The variables of the person's login shell; none where it does not say. */
export async function loginVariables({ environment, platform }: Machine): Promise<{ readonly [name: string]: string }> {
  const { SHELL: shell } = environment
  if (platform === 'win32' || shell === undefined) return {}
  const marker = `variables-${process.pid}-`
  const node = process.execPath.replaceAll("'", `'\\''`)
  const command = `'${node}' -p 'process.argv[1] + JSON.stringify(process.env)' ${marker}`
  const printed = await new Promise<string>((resolve) => {
    const options = { timeout: shellMs, env: { ...environment } as NodeJS.ProcessEnv, maxBuffer: 1024 * 1024 }
    const child = execFile(shell, ['-l', '-c', command], options, (error, stdout) => resolve(error ? '' : stdout))
    child.stdin?.end()
  })
  // the output of a profile stands before the marker
  const at = printed.lastIndexOf(marker)
  return at < 0 ? {} : JSON.parse(printed.slice(at + marker.length))
}

/** Both paths, each folder once; the shell's come first. */
export function joinPaths(first: string, second: string, by: ':' | ';' = delimiter): string {
  return [...new Set([...first.split(by), ...second.split(by)])].filter((folder) => folder !== '').join(by)
}
