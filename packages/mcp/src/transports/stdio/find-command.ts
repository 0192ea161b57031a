import { existsSync, readFileSync } from 'node:fs'
import { basename, delimiter, dirname, extname, join } from 'node:path'
import { McpError } from '../../wire/errors.ts'

/** A command and its arguments. */
export interface ResolvedCommand {
  readonly command: string
  readonly args: readonly string[]
}

/** Finds the command without a shell; on Windows the script of an npm shim is run with node. */
export function resolveCommand(
  command: string,
  args: readonly string[],
  path = process.env.PATH ?? '',
): ResolvedCommand {
  if (process.platform !== 'win32') return { command, args }
  const file = findOnWindows(command, path)
  if (!/\.(cmd|bat)$/i.test(file)) return { command: file, args }
  const script = scriptOfShim(readFileSync(file, 'utf8'), basename(file, extname(file)))
  if (script) return { command: process.execPath, args: [join(dirname(file), script), ...args] }
  throw new McpError(
    'Spawn',
    `Cannot start "${command}": a batch file needs a shell; name the program that it starts`,
    {
      outcome: 'NotSent',
    },
  )
}

/** The script that an npm batch file runs, relative to it. */
export function scriptOfShim(text: string, name: string): string | undefined {
  const scripts = [...text.matchAll(/%~?dp0%?\\([^"%\r\n]+\.[cm]?js)/gi)].map((match) => match[1])
  return scripts.find((script) => script?.includes(`${name}-cli`)) ?? scripts[0]
}

function findOnWindows(command: string, path: string): string {
  if (extname(command) !== '') return command
  const folders = /[\\/]/.test(command) ? [''] : path.split(delimiter)
  const candidates = folders.flatMap((folder) =>
    ['.exe', '.com', '.cmd', '.bat'].map((end) => join(folder, command + end)),
  )
  return candidates.find((candidate) => existsSync(candidate)) ?? command
}
