import { runCommand } from '../src/command/run-command.ts'
import { describeError } from '../src/failure/describe-error.ts'
import { startedTarget } from '../src/host/configured-target.ts'
import { Output } from '../src/output/output.ts'
import { registry } from '../src/registry.ts'
import { processTerminal } from '../src/terminal/terminal.ts'
import type { CliRun } from './run-cli.ts'

/** Runs the command inside the test: for what needs no process, signal or terminal of its own. */
export async function runInProcess(...args: readonly string[]): Promise<CliRun> {
  const printed = { stdout: '', stderr: '' }
  const streamTo = (name: keyof typeof printed) => ({
    write: (text: string | Uint8Array) => {
      printed[name] += Buffer.from(text as string).toString()
    },
  })
  const output = new Output({
    stdout: streamTo('stdout'),
    stderr: streamTo('stderr'),
    env: {},
    json: args.includes('--json'),
    quiet: false,
  })
  try {
    const exit = await runCommand(args, {
      commands: registry,
      output,
      terminal: processTerminal(false),
      signal: new AbortController().signal,
      require: async () => {},
      resolveTarget: startedTarget,
    })
    output.finish()
    return { exit, ...printed }
  } catch (error) {
    const failure = describeError(error)
    output.failure(failure)
    return { exit: failure.exit, ...printed }
  }
}
