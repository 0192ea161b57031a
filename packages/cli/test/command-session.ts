/** The command in a process that runs many lines, for tests that are not about the process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { nodePath } from '../../../tools/lib/node-under-test.ts'
import { programFile } from '../../../tools/lib/program-file.ts'
import { commandPath } from './command-path.ts'
import type { SessionLine } from './fixtures/command-session.ts'
import type { CliRun } from './run-cli.ts'

const preloaded = pathToFileURL(programFile(new URL('./fixtures/command-session.ts', import.meta.url))).href
let session: Session | undefined

/** Runs a line in the session of this test file; undefined while another line runs in it. */
export function runInSession(line: SessionLine): Promise<CliRun> | undefined {
  session ??= new Session()
  return session.run(line)
}

/** A process that the test did not start, as a person's terminal is: a caller's processes may not decide. */
class Session {
  readonly #input: Socket
  readonly #output: Socket
  readonly #answers: AsyncIterator<string>
  #isBusy = false

  constructor() {
    // the shell ends at once, so that its child descends from nothing here; what the session reads ends with this process
    const line = 'setsid "$0" "$@" <&3 3<&- &'
    const words = [nodePath, '--import', preloaded, commandPath]
    const shell = spawn('sh', ['-c', line, ...words], { detached: true, stdio: ['ignore', 'pipe', 'inherit', 'pipe'] })
    this.#input = shell.stdio[3] as Socket
    this.#output = shell.stdio[1] as Socket
    this.#answers = createInterface(this.#output)[Symbol.asyncIterator]()
    this.#input.on('error', () => {})
    for (const held of [shell, this.#input, this.#output]) held.unref()
  }

  run(line: SessionLine): Promise<CliRun> | undefined {
    return this.#isBusy ? undefined : this.#run(line)
  }

  async #run(line: SessionLine): Promise<CliRun> {
    this.#isBusy = true
    this.#output.ref()
    try {
      if (!this.#input.write(`${JSON.stringify(line)}\n`)) await once(this.#input, 'drain')
      const { value, done } = await this.#answers.next()
      if (done) throw new Error(`The session of the command ended in "${line.args.join(' ')}"`)
      return JSON.parse(value)
    } finally {
      this.#output.unref()
      this.#isBusy = false
    }
  }
}
