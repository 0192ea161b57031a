import { readFile } from 'node:fs/promises'
import { withLock } from '../store/lock-file.ts'
import { writeFileWhole } from '../store/write-file.ts'
import type { Value } from './document/document.ts'
import { readJson } from './document/json.ts'
import { editJson } from './document/json-edit.ts'
import { describeProblem } from './problem.ts'
import type { FileChange } from './undo.ts'

/** Writes one more rule to a configuration file and returns the change; a file that is broken is not touched. */
export async function addRule(file: string, effect: 'allow' | 'ask' | 'deny', rule: Value): Promise<FileChange> {
  return withLock(`${file}.lock`, async () => {
    const before = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw new Error(`Cannot write a rule to "${file}": ${error.code}; make it readable for you`, { cause: error })
    })
    const [problem] = readJson(file, before ?? '').problems
    if (problem) throw new Error(`Cannot write a rule: ${describeProblem(problem)}`)
    const after = editJson(before ?? '', [{ path: ['policy', effect], append: rule }])
    await writeFileWhole(file, after)
    return { file, before, after }
  })
}
