import { closeSync, existsSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, join, resolve, sep } from 'node:path'
import { programPath } from '@trunkline/base/find-program'
import type { ProgramLaunch } from '../launch.ts'
import { moduleIn, scriptsIn } from './script-arguments.ts'

/** A file that is run when a program starts. */
export interface RunFile {
  readonly role: 'program' | 'interpreter' | 'script'
  /** Its name in the command or in the first line of a script. */
  readonly name: string
  /** The file, links followed; missing where there is none. */
  readonly path?: string
  /**
   * Accepted part. `path`: updates of the system replace its content; `version`: the path may also name another
   * version of it; `content`: exactly this file.
   */
  readonly by: 'path' | 'version' | 'content'
}

/** Programs that run the files of others; updates of the system or of a version manager replace them. */
const interpreter =
  /^(?:node|nodejs|bun|bunx|deno|tsx|ts-node|npx|npm|pnpm|yarn|python[\d.]*|pypy[\d.]*|uv|uvx|pipx|poetry|ruby|perl|php|lua|java|dotnet|docker|podman|env|sh|bash|dash|zsh|ksh|fish|pwsh|powershell|cmd)(?:\.exe)?$/i
/** Folders whose files only an administrator replaces, where they belong to one. */
const systemFolders = ['/usr/', '/bin/', '/sbin/', '/nix/store/', '/snap/', '/System/']
const firstLineBytes = 256
/** One script may be run by another that is run by a third; more than a few are no program. */
const maxInterpreters = 4

/** Every file that starting a program is known to run: the program, its interpreter, and the script it is given. */
export function filesOf(launch: ProgramLaunch): readonly RunFile[] {
  const { command, args } = launch
  const program = fileOf('program', command, launch)
  if (!isInterpreter(command)) return [program, ...interpretersOf(program, launch)]
  if (basename(command) === 'env') return [program, ...behindEnv(launch)]
  const scripts = scriptsIn(command, args, launch.cwd).map(({ name, path }) => scriptOf(name, path))
  // a module in the folder stands before the installed one of the same name
  const module = moduleIn(command, args, launch.cwd)
  return [program, ...scripts, ...(module ? [scriptOf(module.name, module.path)] : [])]
}

/** The path without its versions, which stays over an update. */
export function versionless(path: string): string {
  return path.replace(/\/nix\/store\/[^/-]+-/, '/nix/store/*-').replace(/\d+(?:\.\d+)+(?:_\d+)?/g, '*')
}

function behindEnv(launch: ProgramLaunch): readonly RunFile[] {
  const at = launch.args.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  const [command, ...args] = at < 0 ? [] : launch.args.slice(at)
  return command === undefined || command.startsWith('-') ? [] : filesOf({ ...launch, command, args })
}

function fileOf(role: RunFile['role'], name: string, launch: ProgramLaunch): RunFile {
  const path = programPath(name, { path: launch.env.PATH ?? launch.base?.PATH ?? process.env.PATH, cwd: launch.cwd })
  if (path === undefined) return { role, name, by: 'content' }
  const real = realpathSync(path)
  if (isInterpreter(name) && !isOfProject(real, launch)) return { role, name, path: real, by: 'version' }
  return { role, name, path: real, by: isOfSystem(real) ? 'path' : 'content' }
}

function scriptOf(name: string, path: string): RunFile {
  if (!existsSync(path)) return { role: 'script', name, by: 'content' }
  const real = realpathSync(path)
  return { role: 'script', name, path: real, by: isOfSystem(real) ? 'path' : 'content' }
}

/** The interpreters that the first lines of scripts name, one after the other. */
function interpretersOf(program: RunFile, launch: ProgramLaunch): readonly RunFile[] {
  const found: RunFile[] = []
  for (let file: RunFile = program; found.length < maxInterpreters; ) {
    const name = file.path === undefined ? undefined : interpreterIn(file.path)
    if (name === undefined) break
    file = fileOf('interpreter', name, launch)
    found.push(file)
  }
  return found
}

/** The interpreter that the first line of a script names: `#!/usr/bin/env node` means the node of the search path. */
function interpreterIn(path: string): string | undefined {
  const [, words = ''] = /^#!\s*(\S.*)/.exec(firstLine(path)) ?? []
  const [first, ...more] = words.trim().split(/\s+/)
  if (first === undefined || first === '') return undefined
  if (basename(first) !== 'env') return first
  return more.find((word) => !word.startsWith('-') && !word.includes('=')) ?? first
}

function firstLine(path: string): string {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(firstLineBytes)
    readSync(file, start, 0, firstLineBytes, 0)
    return start.toString('latin1').split('\n', 1)[0] ?? ''
  } finally {
    closeSync(file)
  }
}

function isInterpreter(command: string): boolean {
  return interpreter.test(basename(command))
}

/** An interpreter that lies in the folder of its server comes with it, and is replaced with it. */
function isOfProject(path: string, { cwd, base }: ProgramLaunch): boolean {
  const folder = existsSync(cwd) ? realpathSync(cwd) : resolve(cwd)
  return base?.HOME !== cwd && path.startsWith(join(folder, sep)) && folder !== sep
}

function isOfSystem(path: string): boolean {
  return systemFolders.some((folder) => path.startsWith(folder)) && statSync(path).uid === 0
}
