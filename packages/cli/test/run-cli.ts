import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodePath } from '../../../tools/lib/node-under-test.ts'
import { programFile } from '../../../tools/lib/program-file.ts'
import { commandPath } from './command-path.ts'
import { runInSession } from './command-session.ts'

/** Exit code and output of a run of the command. */
export interface CliRun {
  readonly exit: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  /** Text on its stdin. @default nothing */
  readonly input?: string
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** Starts the command for this line alone, where the test is about its process. @default only where another option needs it */
  readonly inOwnProcess?: boolean
  /** The launcher that is run. @default commandPath */
  readonly command?: string
  /** Called with the id of the process when it runs. */
  readonly onStart?: (pid: number) => void
  /** Called with all that was printed so far, whenever there is more. */
  readonly onOutput?: (printed: { readonly stdout: string; readonly stderr: string }) => void
}

/** Runs the command as a script would. Lines that come one after another share a process; see `inOwnProcess`. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  const { NO_COLOR, FORCE_COLOR, ...inherited } = process.env
  const env = { ...inherited, ...options.env }
  const { input = '', cwd = process.cwd() } = options
  const needsProcess = options.inOwnProcess || options.command || options.onStart || options.onOutput
  const run = needsProcess ? undefined : runInSession({ args, env, cwd, input })
  return run ?? runAlone(args, { ...options, env, cwd })
}

function runAlone(args: readonly string[], options: CliOptions): Promise<CliRun> {
  const { env, cwd, command = commandPath } = options
  const child = spawn(nodePath, [command, ...args], { env, cwd })
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

/** Command line of a test server, by its name. */
export function fixture(name: string, ...args: string[]): readonly string[] {
  // otherwise each start would erase the types of all sources anew
  const cache = `--env=NODE_COMPILE_CACHE=${join(tmpdir(), 'trunkline-test-compiled')}`
  return [cache, '--', process.execPath, programFile(join(import.meta.dirname, 'fixtures', `${name}.ts`)), ...args]
}

/** A shop at an address; where a test is not about how a server is started, each start costs more than the line. */
export async function runShop(witness: string): Promise<Disposable & { readonly url: string }> {
  const words = fixture('shop')
  const [program = '', ...args] = words.slice(words.indexOf('--') + 1)
  const shop = spawn(program, args, {
    env: { ...process.env, SHOP_OVER_HTTP: 'yes', WITNESS: witness },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = await once(shop.stdout.setEncoding('utf8'), 'data')
  return { url: String(url).trim(), [Symbol.dispose]: () => void shop.kill() }
}
