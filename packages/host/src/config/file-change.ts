import { readFile } from 'node:fs/promises'
import { withLock } from '../store/lock-file.ts'
import { writeFileWhole } from '../store/write-file.ts'
import type { Value } from './document/document.ts'
import { readJson } from './document/json.ts'
import { describeProblem } from './problem.ts'
import type { FileChange } from './undo.ts'

/** A configuration file as it is written, and its value. */
export interface WrittenFile {
  readonly text: string
  readonly value: Value
}

/** A file that was changed after a change of it was planned. */
export class FileChangedError extends Error {
  constructor(file: string) {
    super(`"${file}" was changed meanwhile; look at it again`)
  }
}

/** Plans a change of a configuration file; nothing is written, and a broken file is refused. */
export async function planFileChange(file: string, next: (written: WrittenFile) => string): Promise<FileChange> {
  const before = await textOf(file)
  return { file, before, after: next(written(file, before ?? '')) }
}

/** Writes a change exactly as it was planned; refuses a file that was changed meanwhile. */
export async function writeFileChange({ file, before, after }: FileChange): Promise<void> {
  if (before === after) return
  await withLock(`${file}.lock`, async () => {
    if ((await textOf(file)) !== before) throw new FileChangedError(file)
    await writeFileWhole(file, after)
  })
}

/** Reads a configuration file to edit it; one that is not there is empty. */
export async function readToEdit(file: string): Promise<WrittenFile> {
  return written(file, (await textOf(file)) ?? '')
}

function written(file: string, text: string): WrittenFile {
  const { value, problems } = readJson(file, text)
  const [problem] = problems
  if (problem) throw new Error(`Cannot edit the configuration: ${describeProblem(problem)}`)
  return { text, value }
}

/** Undefined when the file is not there. */
async function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw new Error(`Cannot edit "${file}": ${error.code}; make it readable for you`, { cause: error })
  })
}
