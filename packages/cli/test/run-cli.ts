import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programFile } from '../../../tools/lib/program-file.ts'
import { commandPath } from './command-path.ts'

/** How a run of the command ended, and all it printed. */
export interface CliRun {
  readonly exit: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  /** What is on its stdin. @default nothing */
  readonly input?: string
  readonly env?: { readonly [name: string]: string }
  readonly cwd?: string
  /** The launcher that is run. @default commandPath */
  readonly command?: string
  /** Called with the id of the process when it runs. */
  readonly onStart?: (pid: number) => void
  /** Called with all that was printed so far, whenever there is more. */
  readonly onOutput?: (printed: { readonly stdout: string; readonly stderr: string }) => void
}

/** Runs the command as a script would, in a process of its own. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  const { NO_COLOR, FORCE_COLOR, ...inherited } = process.env
  const child = spawn(process.execPath, [options.command ?? commandPath, ...args], {
    env: { ...inherited, ...options.env },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text
      options.onOutput?.(printed)
    })
  }
  child.on('spawn', () => options.onStart?.(child.pid as number))
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exit) => resolve({ exit, ...printed }))
  })
}

/** How a test names one of the servers beside it. */
export function fixture(name: string, ...args: string[]): readonly string[] {
  // otherwise each start would erase the types of all sources anew
  const cache = `--env=NODE_COMPILE_CACHE=${join(tmpdir(), 'trunkline-test-compiled')}`
  return [cache, '--', process.execPath, programFile(join(import.meta.dirname, 'fixtures', `${name}.ts`)), ...args]
}
