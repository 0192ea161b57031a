import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installApart } from '../../tools/lib/install.ts'
import { benchFolder, projectFolder } from './places.ts'
import { complaint } from './program.ts'

/** Installs the peers on the first run and after a change of their versions, builds the library, and erases the types of all programs. */
export async function prepare(): Promise<void> {
  process.stderr.write('Installing the peers into bench/node_modules, unless they are there\n')
  await installApart('bench')
  process.stderr.write('Building the library\n')
  run(process.execPath, [join(projectFolder, 'tools', 'build.ts')])
  run(process.execPath, ['--disable-warning=ExperimentalWarning', join(benchFolder, 'process', 'erase-all.ts')])
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { cwd: benchFolder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`Cannot prepare the benchmarks: ${error?.message ?? complaint(stderr)}`)
}
