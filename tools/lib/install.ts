import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './files.ts'
import type { Manifest } from './manifest.ts'
import { must } from './run.ts'

const limitMs = 600_000

/** Options for the installation of a folder. */
export interface InstallOptions {
  /** True without the programs that the folder starts and never imports: its `devDependencies`. @default false */
  readonly withoutPrograms?: boolean
  /** System that the packages are for, where it is another than this one. */
  readonly forSystem?: { readonly os: NodeJS.Platform; readonly cpu: NodeJS.Architecture }
}

/**
 * Installs what the lock of a folder names that stands apart from the project, once and whenever the lock is newer or
 * something is missing.
 */
export async function installApart(folder: string, options: InstallOptions = {}): Promise<void> {
  const { withoutPrograms = false, forSystem } = options
  const cwd = join(root, folder)
  if (isInstalled(cwd, withoutPrograms)) return
  // a script of npm hands its settings down, and here they would point back at the workspace
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
  const omitted = withoutPrograms ? ['--omit=dev'] : []
  const system = forSystem ? ['--force', `--os=${forSystem.os}`, `--cpu=${forSystem.cpu}`] : []
  await must('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...omitted, ...system], { cwd, env, limitMs })
}

/** Says whether a folder holds what its manifest asks for, no older than its lock. */
export function isInstalled(cwd: string, withoutPrograms: boolean): boolean {
  const installed = join(cwd, 'node_modules/.package-lock.json')
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(join(cwd, 'package-lock.json')).mtimeMs)
    return false
  const { dependencies = {}, devDependencies = {} } = manifestIn(cwd)
  const wanted = [...Object.keys(dependencies), ...(withoutPrograms ? [] : Object.keys(devDependencies))]
  return wanted.every((name) => existsSync(join(cwd, 'node_modules', name)))
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}
