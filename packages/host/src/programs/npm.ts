import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { InstalledProgram, PackageManager } from './package-manager.ts'
import { type ManagerOptions, runManager } from './run-manager.ts'

const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']

/** The package manager of Node. */
export const npm: PackageManager = {
  async install({ wanted, with: more, program }, folder, options) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, 'package.json'), '{ "private": true }\n')
    await runManager('npm', ['install', '--prefix', folder, ...quiet, '--', wanted, ...more], options)
    const own = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    const names = Object.keys(own.dependencies ?? {})
    const name = names.length === 1 ? names[0] : names.find((one) => wanted === one || wanted.startsWith(`${one}@`))
    if (name === undefined) throw new Error(`it cannot be told which package "${wanted}" is`)
    return installed(folder, name, program)
  },

  async available({ wanted }, options) {
    if (isAbsolute(wanted)) return versionAt(wanted, options)
    const said = await runManager('npm', ['view', wanted, 'version', '--json', '--prefer-online', ...quiet], options)
    const versions: unknown = said.trim() === '' ? [] : JSON.parse(said)
    const newest = Array.isArray(versions) ? versions.at(-1) : versions
    if (typeof newest !== 'string') throw new Error(`no version of "${wanted}" is published`)
    return newest
  },
}

/** The version of a package that lies on the disk. */
async function versionAt(path: string, options: ManagerOptions): Promise<string> {
  const said = await runManager('npm', ['pack', path, '--dry-run', '--json', '--ignore-scripts', ...quiet], options)
  const answer = JSON.parse(said)
  // npm 11 and older ones differ in what they wrap it in
  const [first] = Array.isArray(answer) ? answer : Object.values(answer)
  return String((first as { readonly version?: unknown } | undefined)?.version)
}

async function installed(folder: string, name: string, program: string | undefined): Promise<InstalledProgram> {
  const manifest = JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
  const { bin = {}, version } = manifest as { bin?: string | { [name: string]: string }; version: string }
  const plainName = name.split('/').at(-1) ?? name
  const programs = typeof bin === 'string' ? [plainName] : Object.keys(bin)
  const chosen = program ?? (programs.length === 1 ? programs[0] : programs.find((one) => one === plainName))
  if (chosen === undefined || !/^[\w.@-]+$/.test(chosen)) {
    throw new Error(`package "${name}" has ${programs.length} programs, and none is called "${program ?? plainName}"`)
  }
  return { package: name, version, path: join(folder, 'node_modules', '.bin', chosen) }
}
