import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type AllowedFolders, insidePath, liesIn, outsideError } from '@trunkline/server-kit/folders'
import type { FilesLimits } from './files-limits.ts'
import { explaining } from './refusal.ts'

/** Entry of a directory. */
export interface FolderEntry {
  readonly name: string
  readonly kind: 'file' | 'directory' | 'link' | 'other'
  /** In bytes, of files. */
  readonly size?: number
}

/** The entries of a directory, sorted; links are named and not followed. */
export async function listFolder(
  allowed: AllowedFolders,
  given: string,
  { maxEntries }: FilesLimits,
): Promise<{ readonly path: string; readonly entries: readonly FolderEntry[]; readonly more: number }> {
  const { path, found } = await explaining('list', given, async () => {
    const real = await insidePath(allowed, given)
    return { path: real, found: await entriesOf(allowed, real) }
  })
  const shown = found.slice(0, maxEntries)
  const entries = await Promise.all(shown.map((entry) => describeEntry(path, entry)))
  return { path, entries, more: found.length - shown.length }
}

/** The entries of a directory that is inside before and after they were read, as its name may change its meaning. */
export async function entriesOf({ folders }: AllowedFolders, path: string): Promise<Dirent[]> {
  const entries = await readdir(path, { withFileTypes: true })
  const real = await realpath(path)
  if (real !== path || !folders.some((folder) => liesIn(folder, real))) throw outsideError(path)
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** An entry as people read it. */
export function showEntry({ name, kind, size }: FolderEntry): string {
  if (kind === 'directory') return `${name}/`
  if (kind === 'link') return `${name} (link)`
  return size === undefined ? `${name} (${kind})` : `${name} (${size} bytes)`
}

async function describeEntry(folder: string, entry: Dirent): Promise<FolderEntry> {
  const { name } = entry
  if (entry.isDirectory()) return { name, kind: 'directory' }
  if (entry.isSymbolicLink()) return { name, kind: 'link' }
  if (!entry.isFile()) return { name, kind: 'other' }
  const size = await stat(join(folder, name)).then(
    (found) => found.size,
    () => undefined,
  )
  return { name, kind: 'file', ...(size !== undefined && { size }) }
}
