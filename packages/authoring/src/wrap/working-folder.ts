import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'

/** The folder that a call names, within the folders that calls may run in; links are followed before it is judged. */
export async function workingFolder(named: string | undefined, roots: readonly string[]): Promise<string> {
  const [first = process.cwd()] = roots
  const wanted = resolve(first, named ?? '.')
  const real = await realpath(wanted).catch(() => undefined)
  if (real === undefined || !(await stat(real)).isDirectory())
    throw new Error(`Cannot run in "${named}": it is no folder`)
  for (const root of roots) if (isWithin(real, await realpath(root))) return real
  throw new Error(`Cannot run in "${named}": it is outside of ${roots.map((root) => `"${root}"`).join(', ')}`)
}

function isWithin(folder: string, root: string): boolean {
  const way = relative(root, folder)
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`))
}
