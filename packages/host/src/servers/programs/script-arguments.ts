import { existsSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'

/** A file among the arguments of an interpreter. */
export interface ScriptArgument {
  /** The argument as it is written. */
  readonly name: string
  readonly path: string
}

/** Programs whose arguments name packages and images, but no file that they run. */
const runsNoFile = /^(?:npx|npm|pnpm|yarn|bunx|uvx|pipx|docker|podman|poetry)(?:\.exe)?$/i
/** Words between an interpreter and its script. */
const subcommands = new Set(['run', 'exec', 'watch', 'tool', 'x'])
/** The code itself is an argument, which is accepted with the command. */
const inlineCode = new Set(['-c', '-e', '-p', '--eval', '--print', '-m', '-Command', '/c'])
/** Options whose value is the next word; where that is a file, it is run or read before the script. */
const withValue = new Set([
  ...['-r', '--require', '--import', '--loader', '--experimental-loader', '-C', '--conditions', '--env-file'],
  ...['-W', '-X', '-I', '-cp', '-classpath', '--class-path', '--config', '--import-map', '--preload', '--tsconfig'],
  ...['--directory', '--project', '--python', '--with', '--with-requirements', '--from', '--extra', '--group'],
])
/** Options of uv that name the folder it works in. */
const folderOption = '--directory'
const scriptEndings = ['', '.js', '.mjs', '.cjs', '.ts', '/index.js', '/index.ts', '/__main__.py']

/**
 * The files that an interpreter runs: those that its options load, and the script, which is the first argument that is
 * no option, whether it is there or not.
 */
export function scriptsIn(command: string, args: readonly string[], cwd: string): readonly ScriptArgument[] {
  if (runsNoFile.test(basename(command))) return []
  const loaded: ScriptArgument[] = []
  let folder = cwd
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? ''
    if (inlineCode.has(word) && !isUv(command)) return loaded
    if (!word.startsWith('-')) {
      if (subcommands.has(word) && !isFile(resolve(folder, word))) continue
      return [...loaded, scriptAt(word, folder)]
    }
    const [, option = word, written] = /^(--?[\w-]+)=(.*)$/s.exec(word) ?? []
    if (written === undefined && withValue.has(option)) at += 1
    const value = written ?? (withValue.has(option) ? args[at] : undefined)
    if (value === undefined) continue
    if (option === folderOption) folder = resolve(cwd, value)
    else if (isFile(resolve(folder, value))) loaded.push({ name: value, path: resolve(folder, value) })
  }
  return loaded
}

/** The file in the working folder that `python -m NAME` runs before any installed module, there or not. */
export function moduleIn(command: string, args: readonly string[], cwd: string): ScriptArgument | undefined {
  const at = args.indexOf('-m')
  const name = at < 0 || !/^py/i.test(basename(command)) ? undefined : args[at + 1]
  if (name === undefined) return undefined
  const path = resolve(cwd, name.replaceAll('.', '/'))
  return { name: `-m ${name}`, path: [`${path}.py`, `${path}/__main__.py`].find(isFile) ?? `${path}.py` }
}

function scriptAt(name: string, folder: string): ScriptArgument {
  const path = resolve(folder, name)
  return { name, path: scriptEndings.map((ending) => `${path}${ending}`).find(isFile) ?? path }
}

const isUv = (command: string) => /^uv(?:\.exe)?$/i.test(basename(command))

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}
