import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Manifest } from './manifest.ts'

/** The folders of all packages that some packages need, as they are installed here; their own are not among them. */
export function dependencyClosure(folders: readonly string[]): readonly string[] {
  const own = new Set(folders.map((folder) => manifestOf(folder).name))
  const found = new Map<string, string>()
  const visit = (folder: string): void => {
    for (const name of Object.keys(manifestOf(folder).dependencies ?? {})) {
      if (own.has(name) || found.has(name)) continue
      const installed = realpathSync(findInstalled(name, folder))
      found.set(name, installed)
      visit(installed)
    }
  }
  folders.forEach(visit)
  return [...found.values()]
}

/**
 * Copies packages to where npm would have put them, their commands too: what is there and fits it takes as it is, and a
 * package that nothing needs it removes.
 */
export function placeInstalled(folders: readonly string[], modules: string): void {
  for (const folder of folders) {
    const { name, bin = {} } = manifestOf(folder)
    mkdirSync(join(modules, '.bin'), { recursive: true })
    cpSync(folder, join(modules, name), { recursive: true })
    for (const [command, path] of Object.entries(typeof bin === 'string' ? { [basename(name)]: bin } : bin))
      symlinkSync(join('..', name, path), join(modules, '.bin', command))
  }
}

function findInstalled(name: string, from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
    if (dirname(folder) === folder) throw new Error(`Cannot find "${name}", which "${from}" needs: run "npm install"`)
  }
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}
