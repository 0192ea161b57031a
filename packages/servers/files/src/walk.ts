import { join, relative, sep } from 'node:path'
import { type AllowedFolders, insidePath } from '@trunkline/server-kit/folders'
import type { FilesLimits } from './files-limits.ts'
import { entriesOf } from './list-folder.ts'
import { explaining, FileRefusal } from './refusal.ts'

/** Directories full of generated files; searches enter them only when they start there. */
const skipped = new Set(['.git', 'node_modules', '.hg', '.svn'])

/** A file that a search came by. */
export interface WalkedFile {
  readonly path: string
  /** From where the search began, with forward slashes. */
  readonly name: string
}

/** Goes through all regular files below a directory, in order, without following links; stops when the caller does. */
export async function* walkFiles(
  allowed: AllowedFolders,
  given: string,
  { limits, signal }: { readonly limits: FilesLimits; readonly signal: AbortSignal },
): AsyncGenerator<WalkedFile> {
  const start = await explaining('search', given, () => insidePath(allowed, given))
  const waiting = [start]
  let seen = 0
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const inner: string[] = []
    for (const entry of await readable(allowed, folder)) {
      signal.throwIfAborted()
      if (++seen > limits.maxWalkedEntries) {
        throw new FileRefusal(
          `Cannot search all of ${JSON.stringify(given)}: it has more than ${limits.maxWalkedEntries} entries; search a part of it`,
        )
      }
      const path = join(folder, entry.name)
      if (entry.isDirectory() && !skipped.has(entry.name)) inner.push(path)
      else if (entry.isFile()) yield { path, name: relative(start, path).split(sep).join('/') }
    }
    waiting.push(...inner.reverse())
  }
}

/** A directory that was removed or closed meanwhile has no entries for us. */
async function readable(allowed: AllowedFolders, folder: string) {
  try {
    return await entriesOf(allowed, folder)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EPERM' || code === 'ENOTDIR') return []
    throw error
  }
}
