import { withLock } from '../store/lock-file.ts'
import { writeFileWhole } from '../store/write-file.ts'
import type { Edit } from './document/document.ts'
import { editJson } from './document/json-edit.ts'
import { planFileChange } from './file-change.ts'
import type { FileChange } from './undo.ts'

/** Edits a configuration file and returns the change; all else in it stays as it is, and a broken file is not touched. */
export async function editConfigFile(file: string, edits: readonly Edit[]): Promise<FileChange> {
  return withLock(`${file}.lock`, async () => {
    const change = await planFileChange(file, ({ text }) => editJson(text, edits))
    await writeFileWhole(file, change.after)
    return change
  })
}
