import { link, lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { reply, type Server } from '@trunkline/mcp'
import { type AllowedFolders, allowedFor, insidePath, liesIn } from '@trunkline/server-kit/folders'
import { undoLine } from '@trunkline/server-kit/preview'
import { openFolderInside } from './open-folder.ts'
import { explaining, FileRefusal } from './refusal.ts'
import type { FilesSetup } from './setup.ts'

const path = { type: 'string', description: 'Absolute, or relative to the first directory' } as const
const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false } as const

/** Offers the tools that move files and directories. */
export function offerMoving(files: Server, setup: FilesSetup): void {
  files.tool(
    'move_path',
    {
      description: 'Moves or renames a file or directory; refuses where something is already.',
      annotations: writes,
      input: {
        type: 'object',
        properties: { from: path, to: path },
        required: ['from', 'to'],
        additionalProperties: false,
      },
    },
    async ({ from, to }, ctx) => {
      const allowed = await allowedFor(setup.folders, ctx)
      await explaining('move', from, () => moveInside(allowed, setup.folders, { from, to }))
      const undo = { tool: 'move_path', arguments: { from: to, to: from } }
      return reply(`Moved ${from} to ${to}\n${undoLine(undo)}`, { structured: { from, to, undo } })
    },
  )
  files.tool(
    'trash_path',
    {
      description: 'Puts a file or directory into the trash of the system; nothing is deleted.',
      annotations: writes,
      input: { type: 'object', properties: { path }, required: ['path'], additionalProperties: false },
    },
    async ({ path: given }, ctx) => {
      const allowed = await allowedFor(setup.folders, ctx)
      const trashed = await explaining('trash', given, () => trashInside(allowed, setup.folders, given))
      const undo = `Move it back by hand from ${trashed}, or restore it in your file manager`
      return reply(`${given} is in the trash\n${undo}`, { structured: { trashed, undo } })
    },
  )
}

interface Move {
  readonly from: string
  readonly to: string
}

async function moveInside(allowed: AllowedFolders, served: readonly string[], { from, to }: Move): Promise<void> {
  const [source, target] = [await nameInside(allowed, served, from), await insidePath(allowed, to)]
  if (liesIn(source, target) && source !== target)
    throw new FileRefusal(`Cannot move ${JSON.stringify(from)}: it would lie in itself`)
  if ((await lstat(target).catch(() => undefined)) !== undefined)
    throw new FileRefusal(`Cannot move ${JSON.stringify(from)}: there is something at ${JSON.stringify(to)} already`)
  await using there = await openFolderInside(allowed, dirname(target))
  await using here = await openFolderInside(allowed, dirname(source))
  await renameOnly(join(here.path, basename(source)), join(there.path, basename(target)), to)
}

/** Renames without replacing: a file gets its second name before it loses the first, a directory replaces at most an empty one. */
async function renameOnly(from: string, to: string, given: string): Promise<void> {
  if (!(await lstat(from)).isFile()) return rename(from, to)
  await link(from, to).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST'
      ? new FileRefusal(`Cannot move: there is something at ${JSON.stringify(given)} already`)
      : error
  })
  await rm(from)
}

/** The path of an entry itself, be it a link; the directories that are served cannot be moved. */
async function nameInside(allowed: AllowedFolders, served: readonly string[], given: string): Promise<string> {
  const folder = await insidePath(allowed, join(given, '..'))
  const source = join(folder, basename(given))
  if (served.some((top) => liesIn(source, top)) || basename(given) === '..')
    throw new FileRefusal(`Cannot move ${JSON.stringify(given)}: it holds a directory of this server`)
  await lstat(source)
  return source
}

/** Moves an entry into the trash of the person, as the desktops of Linux and macOS have it; returns where it is. */
async function trashInside(allowed: AllowedFolders, served: readonly string[], given: string): Promise<string> {
  const source = await nameInside(allowed, served, given)
  const { files, info } = trashFolders()
  await mkdir(files, { recursive: true, mode: 0o700 })
  await using here = await openFolderInside(allowed, dirname(source))
  for (let at = 0; at < 1_000; at++) {
    const name = at === 0 ? basename(source) : `${basename(source)}.${at}`
    if (!(await reserve(files, info, { name, source }))) continue
    const target = join(files, name)
    await rename(join(here.path, basename(source)), target).catch(async (error: NodeJS.ErrnoException) => {
      if (info !== undefined) await rm(join(info, `${name}.trashinfo`), { force: true })
      if (error.code !== 'EXDEV') throw error
      throw new FileRefusal(`Cannot trash ${JSON.stringify(given)}: it lies on another disk than the trash`)
    })
    return target
  }
  throw new FileRefusal(`Cannot trash ${JSON.stringify(given)}: the trash has too many of that name`)
}

interface Trashed {
  readonly name: string
  readonly source: string
}

/** Takes a name in the trash; false if it is taken. */
async function reserve(files: string, info: string | undefined, { name, source }: Trashed): Promise<boolean> {
  if ((await lstat(join(files, name)).catch(() => undefined)) !== undefined) return false
  if (info === undefined) return true
  await mkdir(info, { recursive: true, mode: 0o700 })
  const date = new Date().toISOString().slice(0, 19)
  const text = `[Trash Info]\nPath=${encodeURI(source)}\nDeletionDate=${date}\n`
  return writeFile(join(info, `${name}.trashinfo`), text, { flag: 'wx', mode: 0o600 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
}

function trashFolders(): { readonly files: string; readonly info: string | undefined } {
  if (process.platform === 'darwin') return { files: join(homedir(), '.Trash'), info: undefined }
  if (process.platform === 'win32')
    throw new FileRefusal('Cannot trash: on Windows this server cannot reach the recycle bin')
  const { XDG_DATA_HOME: data } = process.env
  const trash = join(data && relative('/', data) !== '' ? data : join(homedir(), '.local/share'), 'Trash')
  return { files: join(trash, 'files'), info: join(trash, 'info') }
}
