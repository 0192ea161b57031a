import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { knownLanguages, type Language } from './languages.ts'

/**
 * The words of the command that serves a language in a project: as configured; for a known language the program that the
 * project has installed, if it has one.
 */
export async function serverCommand(language: Language, root: string): Promise<readonly string[]> {
  const { command = [], name } = language
  const usual = knownLanguages.find((known) => known.name === name)?.command
  if (usual !== command) return command
  const [program = '', ...args] = command
  if (await exists(join(root, 'node_modules/.bin', program))) return [`./node_modules/.bin/${program}`, ...args]
  // TypeScript brings its own language server since version 7
  if (name === 'typescript' && (await installedMajor(root, 'typescript')) >= 7) {
    return ['./node_modules/.bin/tsc', '--lsp', '--stdio']
  }
  return command
}

async function installedMajor(root: string, name: string): Promise<number> {
  try {
    const { version } = JSON.parse(await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8'))
    return Number.parseInt(`${version}`, 10)
  } catch {
    return 0
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
