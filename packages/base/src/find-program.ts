import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'

/** Search path for a command without folders, and the start of one with folders. */
export interface ProgramSearch {
  readonly path: string | undefined
  readonly cwd: string
  /** @default this process's */
  readonly platform?: NodeJS.Platform
  /** Endings of programs on Windows, in order, as in the variable of that name. @default this process's */
  readonly pathExt?: string | undefined
}

/** Path of a program, or the reason it cannot be started. */
export type FoundProgram =
  | { readonly path: string }
  | { readonly problem: 'missing' | 'not executable' | 'no folder'; readonly at: string }

/** Endings of files that Windows can start, without a program that opens them. */
const windowsEnds = ['.com', '.exe', '.bat', '.cmd']

/** Looks for a program as the system does: a path as it is, a name in the folders of the search path. */
export function findProgram(command: string, search: ProgramSearch): FoundProgram {
  return existsSync(search.cwd) ? searched(command, search) : { problem: 'no folder', at: search.cwd }
}

/** The file that a command stands for; undefined where there is none that can be started. */
export function programPath(command: string, search: ProgramSearch): string | undefined {
  const found = searched(command, search)
  return 'path' in found ? found.path : undefined
}

/**
 * The files that a command may stand for, in the order in which they are tried. Unlike Windows itself, the working folder
 * is not searched for a name: a repository could put a program of any name there.
 */
export function programCandidates(command: string, search: ProgramSearch): readonly string[] {
  const { path = '', cwd, platform = process.platform, pathExt = process.env.PATHEXT } = search
  const isWindows = platform === 'win32'
  const { delimiter, isAbsolute, join, resolve } = isWindows ? win32 : posix
  const names = isWindows ? windowsNames(command, pathExt) : [command]
  if (isAbsolute(command) || (isWindows ? /[\\/]|^[a-z]:/i : /\//).test(command))
    return names.map((name) => resolve(cwd, name))
  const folders = path.split(delimiter).map((folder) => (isWindows ? folder.replaceAll('"', '') : folder))
  return folders.filter((folder) => folder !== '').flatMap((folder) => names.map((name) => join(folder, name)))
}

function windowsNames(command: string, pathExt = windowsEnds.join(';')): readonly string[] {
  if (windowsEnds.includes(win32.extname(command).toLowerCase())) return [command]
  const ends = pathExt.toLowerCase().split(';')
  return ends.filter((end) => windowsEnds.includes(end)).map((end) => command + end)
}

function searched(command: string, search: ProgramSearch): FoundProgram {
  let refused: string | undefined
  for (const path of programCandidates(command, search)) {
    if (!isFile(path)) continue
    if (isExecutable(path)) return { path }
    refused ??= path
  }
  return refused === undefined ? { problem: 'missing', at: command } : { problem: 'not executable', at: refused }
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
