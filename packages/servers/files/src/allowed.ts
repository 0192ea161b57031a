import { realpath, stat } from 'node:fs/promises'
import type { Context } from '@trunkline/mcp'
import { type AllowedFolders, liesIn, pathOfUri } from './inside.ts'
import { FileRefusal } from './refusal.ts'

/** The real paths of the directories that a server is given; each must be there. */
export async function realFolders(directories: readonly string[]): Promise<readonly string[]> {
  return Promise.all(
    directories.map(async (directory) => {
      const real = await realpath(directory).catch(() => undefined)
      if (real === undefined || !(await stat(real)).isDirectory()) {
        throw new FileRefusal(`Cannot serve ${JSON.stringify(directory)}: it is not a directory`)
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
  const real = (await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)))).filter(
    (path) => path !== undefined,
  )
  const shared = real.flatMap((root) => folders.flatMap((folder) => narrower(root, folder)))
  if (shared.length === 0)
    throw new FileRefusal('Cannot use any file: no root of the client lies in a directory of this server')
  return { folders: shared, base: shared[0] ?? first }
}

/** The one of two directories that lies in the other. */
function narrower(root: string, folder: string): string[] {
  if (liesIn(folder, root)) return [root]
  return liesIn(root, folder) ? [folder] : []
}
