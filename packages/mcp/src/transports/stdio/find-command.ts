import { readFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { programPath } from '@trunkline/base/find-program'
import { McpError } from '../../wire/errors.ts'

/** A command and its arguments. */
export interface ResolvedCommand {
  readonly command: string
  readonly args: readonly string[]
}

/** Variables and folder that a command is looked for with. */
export interface CommandSearch {
  readonly env: { readonly [name: string]: string }
  readonly cwd: string | undefined
}

/**
 * Finds the command without a shell; on Windows the script of an npm shim is run with node. No batch file is ever run:
 * the interpreter of those takes `%`, `^`, `&` and quotes in arguments for its own.
 */
export function resolveCommand(command: string, args: readonly string[], search: CommandSearch): ResolvedCommand {
  if (process.platform !== 'win32') return { command, args }
  const { env, cwd = process.cwd() } = search
  const path = env.PATH ?? process.env.PATH
  const file = programPath(command, { path, cwd, pathExt: env.PATHEXT ?? process.env.PATHEXT }) ?? command
  if (!/\.(?:cmd|bat)$/i.test(file)) return { command: file, args }
  const script = scriptOfShim(readShim(file, command), basename(file, extname(file)))
  if (script) return { command: process.execPath, args: [join(dirname(file), script), ...args] }
  throw refused(command, 'a batch file needs a shell; name the program that it starts')
}

/** The script that an npm batch file runs, relative to it. */
export function scriptOfShim(text: string, name: string): string | undefined {
  const scripts = [...text.matchAll(/%~?dp0%?\\([^"%\r\n]+\.[cm]?js)/gi)].map((match) => match[1])
  return scripts.find((script) => script?.includes(`${name}-cli`)) ?? scripts[0]
}

function readShim(file: string, command: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw refused(command, 'no such program; install it, or give its full path')
  }
}

function refused(command: string, why: string): McpError {
  return new McpError('Spawn', `Cannot start "${command}": ${why}`, { outcome: 'NotSent' })
}
