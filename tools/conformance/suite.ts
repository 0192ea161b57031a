import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { root } from '../lib/files.ts'
import type { Run } from './plan.ts'
import { readList, type Scenario } from './scenarios.ts'
import type { Command, Ran } from './suite-process.ts'
import { readVerdicts, type Verdict } from './verdicts.ts'

/** Default folder of the suite. */
export const installed = join(root, 'node_modules/@modelcontextprotocol/conformance')

const programOfProcess = join(import.meta.dirname, 'suite-process.ts')

/** Fixtures that the suite tests; each client is a command that is given the address of a server. */
export interface Fixtures {
  readonly serverUrl: string
  readonly client: string
  /** The client where the suite starts many at once. */
  readonly manyClients: string
}

/** The official suite, in as many processes as have been busy at the same time. */
export class Suite implements Disposable {
  readonly #program: string
  readonly #processes = new Set<ChildProcess>()
  readonly #idle: ChildProcess[] = []

  constructor(folder: string) {
    this.#program = join(folder, 'dist/index.js')
    if (!existsSync(this.#program))
      throw new Error(`Cannot find the conformance suite in "${folder}": install it first`)
  }

  /** Every scenario for servers and for clients. */
  async scenarios(): Promise<Scenario[]> {
    const lists = (['server', 'client'] as const).map(async (side) => {
      const { output } = await this.#run([['list', `--${side}`]])
      return readList(output, side)
    })
    return (await Promise.all(lists)).flat()
  }

  /** Runs some scenarios; one that the suite says nothing about has failed. */
  async judge(run: Run, fixtures: Fixtures): Promise<Map<string, Verdict>> {
    const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
    try {
      const ran = await this.#run(commandsOf(run, fixtures, folder))
      const verdicts = readVerdicts(folder)
      return new Map(run.names.map((name) => [name, complete(name, verdicts.get(name), run, ran)]))
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  /** Runs commands one after the other in one process; those that it ended before have failed. */
  async #run(commands: readonly Command[]): Promise<Ran> {
    const child = this.#idle.pop() ?? this.#start()
    let complaints = ''
    const hear = (chunk: Buffer) => {
      complaints += chunk
    }
    child.stderr?.on('data', hear)
    const ran = await new Promise<Ran>((resolve) => {
      child.once('message', (said: Ran) => resolve(said))
      child.once('close', (code, signal) => {
        resolve({ codes: commands.map(() => 1), output: `${complaints}\nThe suite ended with ${code ?? signal}` })
      })
      child.send(commands)
    })
    child.stderr?.off('data', hear)
    child.removeAllListeners('message').removeAllListeners('close')
    if (child.connected) this.#idle.push(child)
    return ran
  }

  #start(): ChildProcess {
    const stdio = ['ignore', 'ignore', 'pipe', 'ipc'] as const
    const child = fork(programOfProcess, [this.#program], {
      cwd: root,
      env: withThisNode(),
      execArgv: [],
      stdio: [...stdio],
    })
    this.#processes.add(child)
    return child
  }

  [Symbol.dispose](): void {
    for (const child of this.#processes) child.kill('SIGKILL')
  }
}

function commandsOf(run: Run, { serverUrl, client, manyClients }: Fixtures, folder: string): Command[] {
  const target = run.side === 'server' ? ['--url', serverUrl] : ['--command', isAmongOthers(run) ? manyClients : client]
  const command = [run.side, ...target, ...run.args, '--output-dir', folder]
  return run.isOneByOne ? run.names.map((name) => [...command, '--scenario', name]) : [command]
}

/** True if the suite runs many scenarios by one command. */
function isAmongOthers({ names, isOneByOne }: Run): boolean {
  return names.length > 1 && !isOneByOne
}

/** A client that complained or took too long may have failed: with many at once, the suite does not look at how they end. */
export function isUndecided(run: Run, { complained }: Verdict, output: string): boolean {
  return run.side === 'client' && isAmongOthers(run) && (complained === true || output.includes('Client timed out'))
}

/** The verdict on a scenario; where the suite fails for more than its checks say, its last words are added. */
function complete(name: string, verdict: Verdict | undefined, run: Run, { codes, output }: Ran): Verdict {
  const lastWords = output.trim().split('\n').slice(-20).join('\n')
  if (!verdict) return { problems: [`the suite did not report on it\n${lastWords}`] }
  if (isUndecided(run, verdict, output)) return { ...verdict, isUndecided: true }
  const isOwnFailure = !isAmongOthers(run) && codes[run.names.indexOf(name)] !== 0
  return isOwnFailure ? { problems: [...verdict.problems, `the suite failed\n${lastWords}`] } : verdict
}

// commands are split at spaces, so the client is started by name
function withThisNode(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) }
}
