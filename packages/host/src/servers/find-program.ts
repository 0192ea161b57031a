import { accessSync, constants } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

/** Search path for a command without folders, and the start of one with folders. */
export interface ProgramSearch {
  readonly path: string | undefined
  readonly cwd: string
}

/** The file that a command stands for; undefined where there is none. */
export function findProgram(command: string, { path: searchPath = '', cwd }: ProgramSearch): string | undefined {
  if (command.includes('/')) return [resolve(cwd, command)].find(isExecutable)
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, command)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
