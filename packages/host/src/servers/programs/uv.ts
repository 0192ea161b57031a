import { mkdir } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { PackageCommand } from './package-command.ts'
import type { InstalledProgram, PackageManager } from './package-manager.ts'
import { ManagerError, type ManagerOptions, runManager } from './run-manager.ts'

/** The package manager of Python programs. */
export const uv: PackageManager = {
  async unpack(command, folder, options) {
    const { wanted, program = wanted } = command
    try {
      return { ...(await install(command, folder, { ...options, flags: ['--no-build'] })), scripts: [] }
    } catch (error) {
      if (!(error instanceof ManagerError) || !needsBuild.test(error.output)) throw error
      const scripts = [{ package: wanted, name: 'build', command: 'it has to be built from its source' }]
      return { package: wanted, version: 'not built yet', path: join(folder, 'bin', program), scripts }
    }
  },

  runScripts: (command, folder, options) => install(command, folder, { ...options, flags: [] }),

  async available({ wanted, python }, options) {
    if (isAbsolute(wanted)) throw new Error('the version of a package on the disk is only known when it is installed')
    const choices = python ? ['--python', python] : []
    const compile = ['pip', 'compile', '-', '--no-deps', '--no-header', '--no-annotate', '--no-build', '--quiet']
    const said = await runManager('uv', [...compile, ...choices], { ...options, input: `${wanted}\n` })
    const [, version] = /^[^=\s]+==(\S+)/m.exec(said) ?? []
    if (version === undefined) throw new Error(`no version of "${wanted}" is published`)
    return version
  },
}

/** A package that exists as source only, which runs code of its author to become a program. */
const needsBuild = /no usable wheels|building from source is disabled|--no-build|no-build/i

async function install(
  { wanted, with: more, program, python }: PackageCommand,
  folder: string,
  options: ManagerOptions & { readonly flags: readonly string[] },
): Promise<InstalledProgram> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const own = inFolder(folder, options)
  const choices = [...(python ? ['--python', python] : []), ...more.flatMap((one) => ['--with', one])]
  await runManager('uv', ['tool', 'install', '--quiet', ...options.flags, ...choices, '--', wanted], own)
  const listed = await runManager('uv', ['tool', 'list'], own)
  const [, name, version] = /^(\S+) v(\S+)/m.exec(listed) ?? []
  const programs = [...listed.matchAll(/^- (\S+)/gm)].map(([, one]) => `${one}`)
  const chosen = programs.length === 1 ? programs[0] : programs.find((one) => one === program)
  if (name === undefined || version === undefined || chosen === undefined) {
    throw new Error(`package "${wanted}" has no program "${program}"`)
  }
  return { package: name, version, path: join(folder, 'bin', chosen) }
}

function inFolder(folder: string, { cwd, environment }: ManagerOptions): ManagerOptions {
  const own = { UV_TOOL_DIR: join(folder, 'tools'), UV_TOOL_BIN_DIR: join(folder, 'bin') }
  return { cwd, environment: { ...environment, ...own } }
}
