import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the benchmarks. */
export const benchFolder = dirname(dirname(fileURLToPath(import.meta.url)))

/** The folder of the whole project. */
export const projectFolder = dirname(benchFolder)

/** Folder of programs whose types are erased. */
export const cacheFolder = join(benchFolder, '.cache')

/** The erased file of a program, named by its path without the ending. */
export function erasedFile(program: string): string {
  return join(cacheFolder, `${program}.js`)
}
