/** A home on Windows with a name of every kind, and the command in it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { lacking } from '../../../../tools/lib/needs.ts'
import { commandPath } from '../command-path.ts'
import type { SessionLine } from '../fixtures/command-session.ts'
import type { CliRun } from '../run-cli.ts'

/** Reason why tests of Windows cannot run here, or false. */
export const noWindows = lacking('windows', process.platform === 'win32')

export interface WindowsHome extends AsyncDisposable {
  readonly home: string
  readonly appData: string
  readonly env: NodeJS.ProcessEnv
  /** Runs a line of the command; lines after another share a process. */
  run(...args: readonly string[]): Promise<CliRun>
}

/** Makes a home whose path has spaces, an umlaut and what shells take for their own. */
export function windowsHome(): WindowsHome {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-'))
  const home = join(folder, 'Jörg & Søn, 100%PATH%')
  const [appData, local] = [join(home, 'AppData', 'Roaming'), join(home, 'AppData', 'Local')]
  for (const path of [appData, local]) mkdirSync(path, { recursive: true })
  const env = { ...process.env, USERPROFILE: home, APPDATA: appData, LOCALAPPDATA: local, TRUNKLINE_HOST_PORT: '0' }
  let session: Session | undefined
  return {
    home,
    appData,
    env,
    run(...args) {
      session ??= new Session()
      return session.run({ args, env, cwd: home, input: '' })
    },
    async [Symbol.asyncDispose]() {
      session?.end()
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

/** A process that runs lines of the command, each as the command would. */
class Session {
  readonly #child: ChildProcess
  readonly #answers: AsyncIterator<string>

  constructor() {
    const preloaded = pathToFileURL(join(import.meta.dirname, '../fixtures/command-session.ts')).href
    this.#child = spawn(process.execPath, ['--import', preloaded, commandPath], { stdio: ['pipe', 'pipe', 'inherit'] })
    if (!this.#child.stdout) throw new Error('The command has no output')
    this.#answers = createInterface(this.#child.stdout)[Symbol.asyncIterator]()
  }

  async run(line: SessionLine): Promise<CliRun> {
    this.#child.stdin?.write(`${JSON.stringify(line)}\n`)
    const { value, done } = await this.#answers.next()
    if (done) throw new Error(`The command ended while it ran "${line.args.join(' ')}"`)
    return JSON.parse(value)
  }

  end(): void {
    this.#child.kill()
  }
}
