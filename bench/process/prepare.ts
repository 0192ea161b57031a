import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { benchFolder, projectFolder } from './places.ts'
import { complaint } from './program.ts'

/** Installs the peers on the first run and after a change of their versions, builds the library, and erases the types of all programs. */
export function prepare(): void {
  if (!installed()) {
    process.stderr.write('Installing the peers into bench/node_modules\n')
    run('npm', ['ci', '--prefix', benchFolder, '--no-audit', '--no-fund'])
  }
  process.stderr.write('Building the library\n')
  run(process.execPath, [join(projectFolder, 'tools', 'build.ts')])
  run(process.execPath, ['--disable-warning=ExperimentalWarning', join(benchFolder, 'process', 'erase-all.ts')])
}

function installed(): boolean {
  const installedLock = join(benchFolder, 'node_modules', '.package-lock.json')
  const lock = join(benchFolder, 'package-lock.json')
  return existsSync(installedLock) && statSync(installedLock).mtimeMs >= statSync(lock).mtimeMs
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { cwd: benchFolder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`Cannot prepare the benchmarks: ${error?.message ?? complaint(stderr)}`)
}
