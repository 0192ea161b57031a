import { readFile, rm, rmdir } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import type { Machine } from '../../config/machine.ts'
import type { Places } from '../../config/places.ts'
import { writeFileWhole } from '../../store/write-file.ts'
import { installRecordPath, readInstallRecords } from './install-record.ts'
import { type ClientChange, planUninstall } from './plan-install.ts'
import { type AskingChange, undoAsking } from './who-asks.ts'

/** A file that was put back. */
export interface UndoneFile {
  readonly file: string
  /** True if it was not there before, and is not any more. */
  readonly isRemoved: boolean
}

/** Puts the files of a client back, and tells which those were. */
export async function undoInstall(
  change: ClientChange,
  machine: Machine,
  places: Places,
): Promise<readonly UndoneFile[]> {
  const { also = [], folders = [] } = change
  const all = [await planUninstall(change, machine), ...(await Promise.all(also.map(withoutAsking)))]
  for (const { file, after } of all) {
    if (after === undefined) {
      await rm(file, { force: true })
      await removeFolders(file, folders)
    } else await writeFileWhole(file, after)
  }
  await rm(installRecordPath(places, change.client), { force: true })
  await forgetIn(also, places)
  return all.map(({ file, after }) => ({ file, isRemoved: after === undefined }))
}

/** Removes the folders that were made for a file, unless something else is in them by now. */
async function removeFolders(file: string, made: readonly string[]): Promise<void> {
  const isMade = (folder: string) => made.some((one) => folder === one || folder.startsWith(one + sep))
  for (let folder = dirname(file); isMade(folder); folder = dirname(folder)) {
    const isRemoved = await rmdir(folder).then(
      () => true,
      () => false,
    )
    if (!isRemoved) return
  }
}

async function withoutAsking(change: AskingChange) {
  const text = await readFile(change.file, 'utf8').catch(() => undefined)
  return { file: change.file, after: text === undefined ? undefined : undoAsking(change, text) }
}

/**
 * Removes undone changes from the records of other clients, so that these too leave the file as it
 * was before any of them, whichever is undone last.
 */
async function forgetIn(undone: readonly AskingChange[], places: Places): Promise<void> {
  for (const record of await readInstallRecords(places)) {
    const also = record.also?.map((change) => asIfNever(change, undone))
    if (JSON.stringify(also) === JSON.stringify(record.also)) continue
    await writeFileWhole(installRecordPath(places, record.client), JSON.stringify({ ...record, also }))
  }
}

function asIfNever(change: AskingChange, undone: readonly AskingChange[]): AskingChange {
  const earlier = undone.find(({ file }) => file === change.file)
  if (!earlier || change.before === undefined) return change
  return { ...change, before: undoAsking(earlier, change.before), after: undoAsking(earlier, change.after) ?? '' }
}
