import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Whether programs can be found on the search path, all of them. */
export function hasProgram(...names: readonly string[]): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.every((name) => folders.some((folder) => existsSync(join(folder, name))))
}
