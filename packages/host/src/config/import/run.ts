import { readFile } from 'node:fs/promises'
import { writeFileWhole } from '../../store/write-file.ts'
import type { Edit } from '../document/document.ts'
import { readJson } from '../document/json.ts'
import { editJson } from '../document/json-edit.ts'
import { localFile, type Places } from '../places.ts'
import { describeProblem } from '../problem.ts'
import type { Secrets } from '../secrets/secret-file.ts'
import type { ImportEdits } from './apply.ts'

/** Keeps the secrets, then writes the person's own file and those for their projects; tells which were written. */
export async function runImport(edits: ImportEdits, places: Places, secrets: Pick<Secrets, 'set'>): Promise<string[]> {
  const files = [
    { file: places.userFile, edits: edits.user },
    ...[...edits.projects].map(([project, own]) => ({ file: localFile(places, project), edits: own })),
  ].filter((one) => one.edits.length > 0)
  // nothing is kept or written when one of the files cannot be
  const texts = await Promise.all(
    files.map(async (one) => ({ file: one.file, text: await edited(one.file, one.edits) })),
  )
  for (const { name, value } of edits.secrets) await secrets.set(name, value)
  for (const { file, text } of texts) await writeFileWhole(file, text)
  return texts.map(({ file }) => file)
}

async function edited(file: string, edits: readonly Edit[]): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const [problem] = readJson(file, text).problems
  if (problem !== undefined) throw new Error(`Cannot edit the configuration: ${describeProblem(problem)}`)
  return editJson(text, edits)
}
