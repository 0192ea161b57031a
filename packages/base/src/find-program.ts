import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'

/** Search path for a command without folders, and the start of one with folders. */
export interface ProgramSearch {
  readonly path: string | undefined
  readonly cwd: string
}

/** Path of a program, or the reason it cannot be started. */
export type FoundProgram =
  | { readonly path: string }
  | { readonly problem: 'missing' | 'not executable' | 'no folder'; readonly at: string }

/** Looks for a program as the system does: a path as it is, a name in the folders of the search path. */
export function findProgram(command: string, search: ProgramSearch): FoundProgram {
  return existsSync(search.cwd) ? searched(command, search) : { problem: 'no folder', at: search.cwd }
}

/** The file that a command stands for; undefined where there is none that can be started. */
export function programPath(command: string, search: ProgramSearch): string | undefined {
  const found = searched(command, search)
  return 'path' in found ? found.path : undefined
}

function searched(command: string, search: ProgramSearch): FoundProgram {
  let refused: string | undefined
  for (const path of candidates(command, search)) {
    if (!isFile(path)) continue
    if (isExecutable(path)) return { path }
    refused ??= path
  }
  return refused === undefined ? { problem: 'missing', at: command } : { problem: 'not executable', at: refused }
}

function candidates(command: string, { path = '', cwd }: ProgramSearch): readonly string[] {
  if (isAbsolute(command) || command.includes('/')) return [resolve(cwd, command)]
  const ends = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', '.com', ''] : ['']
  const folders = path.split(delimiter).filter((folder) => folder !== '')
  return folders.flatMap((folder) => ends.map((end) => join(folder, command + end)))
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
