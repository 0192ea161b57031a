import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { PackageCommand } from './package-command.ts'
import type { InstalledProgram, InstallScript, PackageManager } from './package-manager.ts'
import { type ManagerOptions, runManager } from './run-manager.ts'

const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']

/** The package manager of Node. */
export const npm: PackageManager = {
  async unpack(command, folder, options) {
    const { wanted, with: more } = command
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, 'package.json'), '{ "private": true }\n')
    const flags = ['--ignore-scripts', ...quiet]
    await runManager('npm', ['install', '--prefix', folder, ...flags, '--', wanted, ...more], options)
    return { ...(await installed(folder, command)), scripts: await scriptsIn(folder) }
  },

  async runScripts(command, folder, options) {
    // without it npm reads every package, so that it runs exactly the scripts that were found in them
    await rm(join(folder, 'node_modules', '.package-lock.json'), { force: true })
    await runManager('npm', ['rebuild', '--prefix', folder, ...quiet], options)
    return installed(folder, command)
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
  // npm 11 and older ones wrap it differently
  const [first] = Array.isArray(answer) ? answer : Object.values(answer)
  return String((first as { readonly version?: unknown } | undefined)?.version)
}

/** npm's lock of the packages in a folder, by their paths. */
interface NpmLock {
  readonly packages?: { readonly [path: string]: { readonly integrity?: string } }
}

const installSteps = ['preinstall', 'install', 'postinstall'] as const

/** The scripts that installing would run, of all packages in a folder. */
async function scriptsIn(folder: string): Promise<readonly InstallScript[]> {
  const paths = Object.keys((await lockIn(folder)).packages ?? {}).filter((path) => path !== '')
  const found = await Promise.all(
    paths.map(async (path): Promise<readonly InstallScript[]> => {
      const manifest = await readFile(join(folder, path, 'package.json'), 'utf8').catch(() => '{}')
      const { name = path, version = '', scripts = {} } = JSON.parse(manifest)
      const written = installSteps.filter((step) => typeof scripts[step] === 'string')
      // npm builds native code by default
      const isBuilt = written.length === 0 && existsSync(join(folder, path, 'binding.gyp'))
      const own = isBuilt ? { install: 'node-gyp rebuild' } : scripts
      return (isBuilt ? (['install'] as const) : written).map((step) => {
        return { package: `${name}@${version}`, name: step, command: String(own[step]) }
      })
    }),
  )
  return found.flat()
}

async function lockIn(folder: string): Promise<NpmLock> {
  const path = join(folder, 'package-lock.json')
  return existsSync(path) ? JSON.parse(await readFile(path, 'utf8')) : {}
}

async function installed(folder: string, { wanted, program }: PackageCommand): Promise<InstalledProgram> {
  const own = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const names = Object.keys(own.dependencies ?? {})
  const name = names.length === 1 ? names[0] : names.find((one) => wanted === one || wanted.startsWith(`${one}@`))
  if (name === undefined) throw new Error(`it cannot be told which package "${wanted}" is`)
  const { integrity } = (await lockIn(folder)).packages?.[`node_modules/${name}`] ?? {}
  const manifest = JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
  const { bin = {}, version } = manifest as { bin?: string | { [name: string]: string }; version: string }
  const plainName = name.split('/').at(-1) ?? name
  const programs = typeof bin === 'string' ? [plainName] : Object.keys(bin)
  const chosen = program ?? (programs.length === 1 ? programs[0] : programs.find((one) => one === plainName))
  if (chosen === undefined || !/^[\w.@-]+$/.test(chosen)) {
    throw new Error(`package "${name}" has ${programs.length} programs, and none is called "${program ?? plainName}"`)
  }
  const path = join(folder, 'node_modules', '.bin', chosen)
  return { package: name, version, path, ...(integrity !== undefined && { integrity }) }
}
