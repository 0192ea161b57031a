import { realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { windowsProblem } from '@trunkline/base/windows-names'
import { BadArguments } from '../../../wire/errors.ts'

/** The folder that a process works in. */
export const workingFolder = (): string => process.cwd()

/**
 * The real path of what a caller named, which may not exist yet: links are followed, and what leads out of the folders
 * is refused.
 */
export async function pathWithin(
  folders: readonly string[],
  from: string,
  path: string,
  platform: string = process.platform,
): Promise<string> {
  if (typeof path !== 'string' || path.includes('\0')) throw refused(String(path), 'it is not a path')
  const problem = platform === 'win32' ? windowsProblem(path) : undefined
  if (problem !== undefined) throw refused(path, problem)
  const real = await realPathOf(resolve(from, path))
  for (const folder of folders) if (isWithin(await realPathOf(resolve(folder)), real)) return real
  throw refused(path, `it is outside of ${folders.map((folder) => `"${folder}"`).join(' and ')}`)
}

/** Follows links as far as the path exists; what is missing can have none. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const parent = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path)
      throw refused(path, 'it cannot be resolved')
    return join(await realPathOf(parent), basename(path))
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

function refused(path: string, why: string): BadArguments {
  return new BadArguments(`Cannot use path "${path}": ${why}`)
}
