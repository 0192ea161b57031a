import { readFile } from 'node:fs/promises'
import { withLock } from '../store/lock-file.ts'
import { writeFileWhole } from '../store/write-file.ts'
import type { Edit } from './document/document.ts'
import { readJson } from './document/json.ts'
import { editJson } from './document/json-edit.ts'
import { describeProblem } from './problem.ts'
import type { FileChange } from './undo.ts'

/** Edits a configuration file and returns the change; all else in it stays as it is, and a broken file is not touched. */
export async function editConfigFile(file: string, edits: readonly Edit[]): Promise<FileChange> {
  return withLock(`${file}.lock`, async () => {
    const before = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
      throw new Error(`Cannot edit "${file}": ${error.code}; make it readable for you`, { cause: error })
    })
    const [problem] = readJson(file, before ?? '').problems
    if (problem) throw new Error(`Cannot edit the configuration: ${describeProblem(problem)}`)
    const after = editJson(before ?? '', edits)
    await writeFileWhole(file, after)
    return { file, before, after }
  })
}
