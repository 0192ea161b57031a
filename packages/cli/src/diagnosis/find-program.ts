import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'

/** Path of a program, or the reason it cannot be started. */
export type FoundProgram =
  | { readonly path: string }
  | { readonly problem: 'missing' | 'not executable' | 'no folder'; readonly at: string }

/** Looks for a program as the system does: a path as it is, a name in the folders of the search path. */
export function findProgram(command: string, searchPath: string, cwd: string): FoundProgram {
  if (!existsSync(cwd)) return { problem: 'no folder', at: cwd }
  if (isAbsolute(command) || command.includes('/')) return judged(resolve(cwd, command), command)
  const ends = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', '.com', ''] : ['']
  for (const folder of searchPath.split(delimiter)) {
    const found = ends.map((end) => join(folder, command + end)).find((path) => folder !== '' && isFile(path))
    if (found !== undefined) return judged(found, command)
  }
  return { problem: 'missing', at: command }
}

function judged(path: string, command: string): FoundProgram {
  if (!isFile(path)) return { problem: 'missing', at: command }
  try {
    accessSync(path, constants.X_OK)
    return { path }
  } catch {
    return { problem: 'not executable', at: path }
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
