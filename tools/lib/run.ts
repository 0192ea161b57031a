import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './files.ts'

/** Result of a command, and all its output. */
export interface Outcome {
  readonly passed: boolean
  readonly output: string
}

/** Options for running a command. */
export interface RunOptions {
  /** @default the root of the repository */
  readonly cwd?: string
  /** True if the command writes to this terminal itself; its output is then empty. @default false */
  readonly shown?: boolean
  /** @default the environment of this process */
  readonly env?: NodeJS.ProcessEnv
  /** Milliseconds after which the command is ended. @default none */
  readonly limitMs?: number
}

/** Runs a command to its end; a command that cannot start has failed like any other. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const { cwd = root, shown = false, env = process.env, limitMs } = options
  const written = shown ? 'inherit' : 'pipe'
  const limit = limitMs === undefined ? {} : ({ timeout: limitMs, killSignal: 'SIGKILL' } as const)
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', written, written], ...limit })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk
    })
  return new Promise((resolve) => {
    child.on('error', ({ message }) => resolve({ passed: false, output: `Cannot run "${command}": ${message}` }))
    child.on('close', (code, signal) => {
      const ending =
        signal === null ? '' : `\nEnded by ${signal}${limitMs ? `, after ${limitMs / 1000} s at the latest` : ''}`
      resolve({ passed: code === 0, output: `${output}${ending}` })
    })
  })
}

/** Runs a command that has to succeed, and gives back what it wrote. */
export async function must(command: string, args: readonly string[], options?: RunOptions): Promise<string> {
  const { passed, output } = await run(command, args, options)
  if (!passed) throw new Error(`Cannot finish "${[command, ...args].join(' ')}": it failed\n${output}`)
  return output
}

/** The compiler with its arguments; with one checker, since every further one infers anew what its files import. */
export function tsc(...args: readonly string[]): readonly string[] {
  return [tool('tsc'), '--checkers', '1', ...args]
}

/** The script of a development dependency, for the Node that runs this. */
export function tool(name: string): string {
  return join(root, 'node_modules/.bin', name)
}
