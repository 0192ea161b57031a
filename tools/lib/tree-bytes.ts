import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Total size of the files of a folder; links are not followed. */
export function treeBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => lstatSync(join(folder, path)))
    .filter((entry) => entry.isFile())
    .reduce((sum, { size }) => sum + size, 0)
}
