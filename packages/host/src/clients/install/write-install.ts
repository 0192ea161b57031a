import { createHash } from 'node:crypto'
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Places } from '../../config/places.ts'
import { makeFolder } from '../../store/make-folder.ts'
import { writeFileWhole } from '../../store/write-file.ts'
import { installRecordPath, readInstallRecord } from './install-record.ts'
import type { ClientChange } from './plan-install.ts'
import type { AskingChange } from './who-asks.ts'

/** Files to write for a change, each with its present content. */
export function writesOf(change: ClientChange): readonly Pick<AskingChange, 'file' | 'before' | 'current' | 'after'>[] {
  return [change, ...(change.also ?? []).filter(({ stands }) => !stands)]
}

/** Writes a change to a client's file, after a record to undo it. */
export async function writeInstall(change: ClientChange, places: Places): Promise<void> {
  const record = installRecordPath(places, change.client)
  makeFolder(dirname(record))
  const writes = writesOf(change)
  for (const { file, before, current = before } of writes) {
    if ((await readFile(file, 'utf8').catch(() => undefined)) !== current) {
      throw new Error(`"${file}" changed meanwhile; look at it again`)
    }
  }
  if (change.before !== undefined) {
    const digest = createHash('sha256').update(change.before).digest('hex').slice(0, 8)
    await writeFile(`${record}.${digest}.backup`, change.before, { mode: 0o600 })
  }
  const made = await Promise.all(writes.map(({ file }) => missingFolder(file)))
  const earlier = (await readInstallRecord(places, change.client))?.folders ?? []
  const folders = [...new Set([...earlier, ...made.filter((folder) => folder !== undefined)])]
  await writeFileWhole(record, JSON.stringify({ ...recorded(change), folders, bindsProgram: true }))
  for (const { file, before, after } of writes) {
    await mkdir(dirname(file), { recursive: true })
    if (before === undefined && after === '') await rm(file, { force: true })
    else await writeFileWhole(file, after)
  }
}

/** The outermost folder that has to be made for a file; undefined when its own is there. */
async function missingFolder(file: string): Promise<string | undefined> {
  let missing: string | undefined
  for (let folder = dirname(file); !(await exists(folder)); folder = dirname(folder)) missing = folder
  return missing
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** The record of a change: without the content it replaced, and without changes of other files that change nothing. */
function recorded({ current, outside, also = [], ...change }: ClientChange): ClientChange {
  const kept = also.filter(({ edits }) => edits.length > 0)
  return { ...change, also: kept.map(({ current: _, stands: __, ...rest }) => rest) }
}
