import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { root } from '../lib/files.ts'
import { must, type Outcome, run as start } from '../lib/run.ts'
import type { Run } from './plan.ts'
import { readList, type Scenario } from './scenarios.ts'
import { readVerdicts, type Verdict } from './verdicts.ts'

/** Default folder of the suite. */
export const installed = join(root, 'node_modules/@modelcontextprotocol/conformance')

const oneByOne = join(import.meta.dirname, 'one-by-one.ts')

/** Fixtures that the suite tests. */
export interface Fixtures {
  readonly serverUrl: string
  /** A command that is given the address of a server. */
  readonly client: string
}

/** The official suite, as a program to start. */
export class Suite {
  readonly #program: string

  constructor(folder: string) {
    this.#program = join(folder, 'dist/index.js')
    if (!existsSync(this.#program))
      throw new Error(`Cannot find the conformance suite in "${folder}": install it first`)
  }

  /** Every scenario for servers and for clients. */
  async scenarios(): Promise<Scenario[]> {
    const lists = (['server', 'client'] as const).map(async (side) => {
      return readList(await must(process.execPath, [this.#program, 'list', `--${side}`]), side)
    })
    return (await Promise.all(lists)).flat()
  }

  /** Runs some scenarios; one that the suite says nothing about has failed. */
  async judge(run: Run, { serverUrl, client }: Fixtures): Promise<Map<string, Verdict>> {
    const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
    try {
      const target = run.side === 'server' ? ['--url', serverUrl] : ['--command', client]
      const program = run.isOneByOne ? [oneByOne, this.#program, run.names.join()] : [this.#program]
      const args = [...program, run.side, ...target, ...run.args, '--output-dir', folder]
      const outcome = await start(process.execPath, args, { env: withThisNode() })
      const verdicts = readVerdicts(folder)
      return new Map(run.names.map((name) => [name, complete(name, verdicts.get(name), run, outcome)]))
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}

/** The line about a scenario that failed among others. */
export function saidOfFailure(name: string): string {
  return `Scenario ${name} failed`
}

/** A client that complained or took too long may have failed: with many at once, the suite does not look at how they end. */
export function isUndecided({ side, names, isOneByOne }: Run, { complained }: Verdict, output: string): boolean {
  const isAmongOthers = names.length > 1 && !isOneByOne
  return side === 'client' && isAmongOthers && (complained === true || output.includes('Client timed out'))
}

/** The verdict on a scenario; where the suite fails for more than its checks say, its last words are added. */
function complete(name: string, verdict: Verdict | undefined, run: Run, { passed, output }: Outcome): Verdict {
  const lastWords = output.trim().split('\n').slice(-20).join('\n')
  if (!verdict) return { problems: [`the suite did not report on it\n${lastWords}`] }
  if (isUndecided(run, verdict, output)) return { ...verdict, isUndecided: true }
  const isOwnFailure = !passed && (run.names.length === 1 || output.includes(`${saidOfFailure(name)}\n`))
  return isOwnFailure ? { problems: [...verdict.problems, `the suite failed\n${lastWords}`] } : verdict
}

// commands are split at spaces, so the client is started by name
function withThisNode(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) }
}
