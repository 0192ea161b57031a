import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { programPath } from '@trunkline/base/find-program'
import type { ProgramLaunch } from '../launch.ts'
import type { Concealed } from './settings.ts'
import { TriedPrograms } from './tried-programs.ts'

/** A machine that takes longer has other problems. */
const tryMs = 10_000

/** Reasons why bwrap programs do not work here; undefined for those that do. */
const failures = new TriedPrograms(attempt)

/** The bwrap program that works here, or why there is none. */
export async function bubblewrapProblem(
  launch: ProgramLaunch,
  platform: string = process.platform,
): Promise<{ readonly path: string } | { readonly problem: string }> {
  if (platform !== 'linux') return { problem: 'this system has no sandbox for any program (bubblewrap takes Linux)' }
  const path = programPath('bwrap', { path: launch.base?.PATH ?? process.env.PATH, cwd: launch.cwd })
  if (path === undefined) return { problem: 'bubblewrap is not installed' }
  const failure = await failures.of(path)
  return failure === undefined ? { path } : { problem: `bubblewrap does not work here (${failure})` }
}

/**
 * The program below bwrap. Everything but the concealed folders can be read, and only the given paths can be written. It
 * sees no process but its own, since the folders of another one would lead around the sandbox, and it ends with bwrap.
 */
export function inBubblewrap(path: string, launch: ProgramLaunch, concealed?: Concealed): ProgramLaunch {
  const { writable = [], network = true } = launch.sandbox ?? {}
  const hides = concealed ? concealing(concealed) : []
  const binds = writable.flatMap((folder) => ['--bind', folder, folder])
  const args = [
    ...confinement,
    ...hides,
    ...binds,
    ...(network ? [] : ['--unshare-net']),
    '--',
    launch.command,
    ...launch.args,
  ]
  return { ...launch, command: path, args }
}

/** Puts an empty folder over each that is concealed; it has to be there already, and links would lead around it. */
function concealing({ folders, except }: Concealed): readonly string[] {
  const real = (paths: readonly string[]): string[] =>
    paths.filter((one) => existsSync(one)).map((one) => realpathSync(one))
  return [
    ...real(folders).flatMap((folder) => ['--tmpfs', folder]),
    ...real(except).flatMap((folder) => ['--ro-bind', folder, folder]),
  ]
}

const confinement = [
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--unshare-pid', '--proc', '/proc'],
  ...['--die-with-parent', '--cap-drop', 'ALL'],
]

function attempt(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(path, [...confinement, '--', 'true'], { timeout: tryMs }, (error, _stdout, stderr) => {
      resolve(error ? stderr.trim().split('\n').at(-1) || error.message : undefined)
    })
  })
}
