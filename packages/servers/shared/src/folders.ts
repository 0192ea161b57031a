import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { windowsProblem } from '@trunkline/base/windows-names'
import type { Context } from '@trunkline/mcp'
import { ToolProblem } from './tool-problem.ts'

/** The directories that a caller may use; all of them real, so that no link leads out of them. */
export interface AllowedFolders {
  readonly folders: readonly string[]
  /** Directory in which relative paths begin. */
  readonly base: string
}

/** Says that a path may not be used, without telling whether anything is there. */
export function outsideError(given: string): Error {
  return new ToolProblem(
    'refused',
    `Cannot use ${JSON.stringify(given)}: it lies outside of the directories that this server may use`,
  )
}

/** True if a path lies in a directory or is it; compared name by name, so that /a-b does not lie in /a. */
export function liesIn(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** The real path that a given one leads to, links followed; refuses what lies outside, be it by dots or by links. */
export async function insidePath({ folders, base }: AllowedFolders, given: string): Promise<string> {
  if (given.includes('\0')) throw new ToolProblem('refused', 'Cannot use a path with a NUL character in it')
  const problem = process.platform === 'win32' ? windowsProblem(given) : undefined
  if (problem !== undefined) throw new ToolProblem('refused', `Cannot use ${JSON.stringify(given)}: ${problem}`)
  const path = resolve(base, given)
  // nothing outside is even looked at
  if (!folders.some((folder) => liesIn(folder, path))) throw outsideError(given)
  const real = await realOf(path)
  if (!folders.some((folder) => liesIn(folder, real))) throw outsideError(given)
  return real
}

/** The real path of what is there, and below it the names of what is not there yet. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    return join(await realOf(dirname(path)), basename(path))
  }
}

/** The path that a `file:` address names; undefined for any other address. Only Windows has paths on other machines. */
export function pathOfUri(uri: string, platform: string = process.platform): string | undefined {
  const windows = platform === 'win32'
  try {
    const { protocol, hostname, pathname } = new URL(uri)
    if (protocol !== 'file:' || (hostname !== '' && hostname !== 'localhost' && !windows)) return undefined
    return fileURLToPath(`file://${windows ? hostname : ''}${pathname}`, { windows })
  } catch {
    return undefined
  }
}

/** The real paths of the directories that a server is given; each must be there. */
export async function realFolders(directories: readonly string[]): Promise<readonly string[]> {
  return Promise.all(
    directories.map(async (directory) => {
      const real = await realpath(directory).catch(() => undefined)
      if (real === undefined || !(await stat(real)).isDirectory()) {
        throw new ToolProblem('refused', `Cannot serve ${JSON.stringify(directory)}: it is not a directory`)
      }
      return real
    }),
  )
}

/** Directories that one caller may use: those of the server, and of these only the parts in the roots that it names. */
export async function allowedFor(folders: readonly string[], ctx: Context): Promise<AllowedFolders> {
  const roots = ctx.caller.capabilities?.roots === undefined ? [] : await ctx.roots()
  const paths = roots.flatMap(({ uri }) => pathOfUri(uri) ?? [])
  const [first = ''] = folders
  if (paths.length === 0) return { folders, base: first }
  const near = paths.filter((path) => mayLookAt(path, folders))
  const real = (await Promise.all(near.map((path) => realpath(path).catch(() => undefined)))).filter(
    (path) => path !== undefined,
  )
  const shared = real.flatMap((root) => folders.flatMap((folder) => narrower(root, folder)))
  if (shared.length === 0)
    throw new ToolProblem('refused', 'Cannot use any file: no root of the client lies in a directory of this server')
  return { folders: shared, base: shared[0] ?? first }
}

/**
 * True unless a path lies on a machine on which no directory lies: Windows would sign the person in there, and the other
 * machine would learn enough to guess the password.
 */
export function mayLookAt(path: string, folders: readonly string[]): boolean {
  const machine = machineOf(path)
  return machine === undefined || folders.some((folder) => machineOf(folder) === machine)
}

/** The machine of a path such as `\\server\share\file`; undefined for a path of this one. */
function machineOf(path: string): string | undefined {
  return /^\\\\([^\\/]+)/.exec(path)?.[1]?.toLowerCase()
}

/** The one of two directories that lies in the other. */
function narrower(root: string, folder: string): string[] {
  if (liesIn(folder, root)) return [root]
  return liesIn(root, folder) ? [folder] : []
}
