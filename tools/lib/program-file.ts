/** Programs that tests start: from their sources, or bundled where a run of many tests has done that. */
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './files.ts'

/** The variable that names the folder of the bundles, which are in it as their sources are in the repository. */
export const bundlesVariable = 'TRUNKLINE_TEST_PROGRAMS'

/** The file to start for a source: its bundle, which takes less than half the processor time, or the source itself. */
export function programFile(source: string | URL): string {
  const path = typeof source === 'string' ? source : fileURLToPath(source)
  const folder = process.env[bundlesVariable]
  if (folder === undefined) return path
  const bundle = join(folder, relative(root, path)).replace(/\.ts$/, '.mjs')
  return existsSync(bundle) ? bundle : path
}
