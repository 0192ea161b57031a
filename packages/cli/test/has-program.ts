import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** True if all of these programs are on the search path. */
export function hasProgram(...names: readonly string[]): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.every((name) => folders.some((folder) => existsSync(join(folder, name))))
}
