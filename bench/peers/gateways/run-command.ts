import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Runs the command of a package within this process, so that its processor time is this process's. */
export async function runCommand(name: string, args: readonly string[]): Promise<void> {
  const folder = packageFolder(name)
  const { bin } = createRequire(import.meta.url)(join(folder, 'package.json'))
  const file = join(folder, typeof bin === 'string' ? bin : bin[name])
  process.argv = [process.execPath, file, ...args]
  // its messages about itself are not needed here
  process.stdout.write = () => true
  await import(pathToFileURL(file).href)
}

function packageFolder(name: string): string {
  const paths = createRequire(import.meta.url).resolve.paths(name) ?? []
  const { existsSync } = process.getBuiltinModule('node:fs')
  const found = paths.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json')))
  if (found === undefined) throw new Error(`Cannot find ${name} from ${dirname(import.meta.url)}: it is not installed`)
  return found
}
