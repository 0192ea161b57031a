/** Fails when the API reference in `docs/api/` is not what the declarations of the package say. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Page, writePages } from './api-reference.ts'
import { emitLibrary } from './declarations/emit.ts'
import { type EntryExports, exportedNames } from './declarations/exported-names.ts'
import { type File, readFiles, root } from './lib/files.ts'
import { type Problem, report } from './lib/problem.ts'

/** Finds the pages that are missing, old, or of an entry that is gone. */
export function checkApiReference(pages: readonly Page[], files: readonly File[]): Problem[] {
  const stale = pages
    .filter(({ path, text }) => files.find((file) => file.path === path)?.text !== text)
    .map(({ path }) => ({
      path,
      message: 'Not what the declarations say: run node tools/check-api-reference.ts --update',
    }))
  const surplus = files
    .filter((file) => !pages.some(({ path }) => path === file.path))
    .map(({ path }) => ({ path, message: 'No entry of the package has this page: remove it' }))
  return [...stale, ...surplus]
}

/** Finds entries and names without a doc comment. */
export function checkComments(entries: readonly EntryExports[]): Problem[] {
  const message = (what: string) => `Has no doc comment: ${what}`
  return entries.flatMap(({ entry, doc, names }) => [
    ...(doc === '' ? [{ path: entry, message: message('write one at the top of its file') }] : []),
    ...names.filter((one) => one.doc === '').map(({ name }) => ({ path: entry, message: message(name) })),
  ])
}

if (import.meta.main) {
  const entries = exportedNames(await emitLibrary())
  const pages = writePages(entries)
  if (process.argv.includes('--update')) {
    rmSync(join(root, 'docs/api'), { recursive: true, force: true })
    for (const { path, text } of pages) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
  }
  const problems = [...checkComments(entries), ...checkApiReference(pages, readFiles('docs/api/**/*.md'))]
  report(problems, `${pages.length} pages, as the declarations say`)
}
