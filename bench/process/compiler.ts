import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onServerCore } from './cores.ts'
import { cacheFolder, projectFolder } from './places.ts'
import { NotThereYet } from './program.ts'

const compiler = join(projectFolder, 'node_modules', 'typescript', 'bin', 'tsc')

/** Runs the type checker on the servers' core; what it complains of is an error. */
export async function compile(args: readonly string[]): Promise<void> {
  const [command, all] = onServerCore(process.execPath, [compiler, ...args])
  try {
    await promisify(execFile)(command, all, { cwd: cacheFolder })
  } catch (cause) {
    const { stdout = '' } = cause as { stdout?: string }
    throw new NotThereYet(stdout.split('\n')[0] ?? '', { cause })
  }
}
