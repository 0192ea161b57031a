import { readFile } from 'node:fs/promises'
import type { Edit } from '../../config/document/document.ts'
import { readJson } from '../../config/document/json.ts'
import { editJson } from '../../config/document/json-edit.ts'
import { localFile, type Places } from '../../config/places.ts'
import { describeProblem } from '../../config/problem.ts'
import type { Secrets } from '../../config/secrets/secret-file.ts'
import { writeFileWhole } from '../../store/write-file.ts'
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
