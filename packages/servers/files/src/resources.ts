import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ReadContext, ResourceContents, Server } from '@trunkline/mcp'
import { type AllowedFolders, allowedFor, insidePath, pathOfUri } from '@trunkline/server-kit/folders'
import { type FolderEntry, listFolder, showEntry } from './list-folder.ts'
import { readLines, readRange, readWhole } from './read-part.ts'
import { FileRefusal } from './refusal.ts'
import type { FilesSetup } from './setup.ts'
import { mimeTypeOf, textOfBytes } from './text-or-bytes.ts'

/** Every file and directory; of a file also some lines, or some bytes. */
export const fileTemplate = 'file://{+path}{?from,lines,offset,length}'

/** Offers directories and files as resources. */
export function offerResources(files: Server, setup: FilesSetup): void {
  for (const folder of setup.folders) {
    const { href } = pathToFileURL(`${folder}/`)
    files.resource(
      href,
      { name: basename(folder) || folder, mimeType: 'inode/directory', description: `The directory ${folder}` },
      (_, ctx) => readUri(setup, ctx),
    )
  }
  files.template(
    fileTemplate,
    {
      name: 'file',
      description:
        'A file or directory; large files in parts, by "from" and "lines", or by "offset" and "length" in bytes',
      list: () => listTop(setup),
      complete: { path: (start) => completePath(setup, start) },
    },
    (_, ctx) => readUri(setup, ctx),
  )
}

async function readUri(setup: FilesSetup, ctx: ReadContext): Promise<ResourceContents> {
  const { uri } = ctx
  const path = pathOfUri(uri)
  if (path === undefined) throw new FileRefusal(`Cannot read "${uri}": only files of this machine are served`)
  const allowed = await allowedFor(setup.folders, ctx)
  const query = new URL(uri).searchParams
  if (query.has('from') || query.has('lines')) return readUriLines(setup, allowed, { uri, path, query })
  if (query.has('offset') || query.has('length')) return readUriBytes(setup, allowed, { uri, path, query })
  try {
    const { bytes } = await readWhole(allowed, path, setup.limits)
    const text = textOfBytes(bytes)
    const mimeType = mimeTypeOf(path, text !== undefined)
    return text === undefined ? { uri, mimeType, blob: Buffer.from(bytes).toString('base64') } : { uri, mimeType, text }
  } catch (error) {
    if (!/it is a directory$/.test((error as Error).message)) throw withHint(error as Error, uri)
    const { path: folder, entries, more } = await listFolder(allowed, path, setup.limits)
    const links = entries.map((entry) => `${showEntry(entry)} ${linkTo(folder, entry)}`)
    const lines = [...links, ...(more === 0 ? [] : [`and ${more} more`])]
    return { uri, mimeType: 'inode/directory', text: lines.join('\n') }
  }
}

function linkTo(folder: string, { name, kind }: FolderEntry): string {
  return pathToFileURL(join(folder, kind === 'directory' ? `${name}/` : name)).href
}

interface Part {
  readonly uri: string
  readonly path: string
  readonly query: URLSearchParams
}

async function readUriLines(
  { limits }: FilesSetup,
  allowed: AllowedFolders,
  { uri, path, query }: Part,
): Promise<ResourceContents> {
  const from = wholeOf(query, 'from', 1)
  const lines = Math.min(wholeOf(query, 'lines', limits.maxReadLines), limits.maxReadLines)
  const part = await readLines(allowed, path, { from, lines, maxReadBytes: limits.maxReadBytes })
  if (part === undefined)
    throw new FileRefusal(`Cannot read lines of "${uri}": it is no text; use "offset" and "length"`)
  return { uri, mimeType: mimeTypeOf(path, true), text: part.text }
}

async function readUriBytes(
  { limits }: FilesSetup,
  allowed: AllowedFolders,
  { uri, path, query }: Part,
): Promise<ResourceContents> {
  const offset = wholeOf(query, 'offset', 0)
  const length = Math.min(wholeOf(query, 'length', limits.maxReadBytes), limits.maxReadBytes)
  const bytes = await readRange(allowed, path, { offset, length })
  return { uri, mimeType: mimeTypeOf(path, false), blob: Buffer.from(bytes).toString('base64') }
}

function wholeOf(query: URLSearchParams, name: string, usual: number): number {
  const text = query.get(name)
  if (text === null) return usual
  if (!/^\d{1,15}$/.test(text))
    throw new FileRefusal(`Cannot read with "${name}" ${JSON.stringify(text)}: it must be a whole number`)
  return Number(text)
}

function withHint(error: Error, uri: string): Error {
  if (!error.message.endsWith('read a part of it')) return error
  return new FileRefusal(`${error.message}: ${uri}?from=1&lines=1000`)
}

/** The files and directories right below those that are served. */
async function listTop({ folders, limits }: FilesSetup): Promise<{ readonly uri: string; readonly name: string }[]> {
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(folder, { withFileTypes: true })
      const shown = entries.filter((entry) => entry.isFile() || entry.isDirectory())
      return shown.map((entry) => ({
        uri: pathToFileURL(join(folder, entry.isDirectory() ? `${entry.name}/` : entry.name)).href,
        name: entry.name,
      }))
    }),
  )
  return lists.flat().slice(0, limits.maxEntries)
}

async function completePath(setup: FilesSetup, start: string): Promise<string[]> {
  const allowed = { folders: setup.folders, base: setup.folders[0] ?? '' }
  try {
    const folder = await insidePath(allowed, start.endsWith('/') ? start : dirname(start))
    const { entries } = await listFolder(allowed, folder, setup.limits)
    return entries
      .map(({ name, kind }) => join(folder, name) + (kind === 'directory' ? '/' : ''))
      .filter((path) => path.startsWith(start))
  } catch {
    // a path that is outside or does not exist completes to nothing
    return setup.folders.filter((folder) => folder.startsWith(start))
  }
}
