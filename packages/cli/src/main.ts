import type { CommandContext } from './command/command.ts'
import { runCommand } from './command/run-command.ts'
import { exitCodes } from './failure/exit-codes.ts'
import { Output } from './output/output.ts'
import { registry } from './registry.ts'
import { stopOnSignals, Terminated } from './terminal/interrupt.ts'
import { processTerminal } from './terminal/terminal.ts'

/** Runs what was typed, and ends the process with the code that says how it went. */
export async function start(args: readonly string[]): Promise<void> {
  const { stdout, stderr, env } = process
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined)
  const has = (...flags: string[]): boolean => flags.some((flag) => own.includes(flag))
  const output = new Output({ stdout, stderr, env, json: has('--json'), quiet: has('--quiet', '-q') })
  const stop = new AbortController()
  stopOnSignals(stop)
  stdout.on('error', (error) => stop.abort(error))
  // there is no stream left to report this on
  stderr.on('error', () => {})
  const terminal = processTerminal(!has('--no-input', '--json'))
  const exit = await attempt(args, {
    commands: registry,
    output,
    terminal,
    signal: stop.signal,
    require: async (needs) => {
      if (needs !== 'nothing') await (await import('./host/decided-here.ts')).requireFor(needs, terminal)
    },
    resolveTarget: async (name) => (await import('./host/configured-target.ts')).startedTarget(name),
  })
  // output to a pipe may still be pending
  await Promise.all([flushed(stdout), flushed(stderr)])
  process.exit(exit)
}

async function attempt(args: readonly string[], context: CommandContext): Promise<number> {
  const { output, signal } = context
  try {
    const exit = await runCommand(namedCommand(args), context)
    // the last write may fail after all else went well
    await new Promise(setImmediate)
    // a serving command that was told to end has ended well
    if (!(signal.reason instanceof Terminated)) signal.throwIfAborted()
    output.finish()
    return exit
  } catch (thrown) {
    // a stopped command fails because of the stop, whatever it throws
    const error: unknown = signal.aborted ? signal.reason : thrown
    // the reader of the output has seen enough; a connection that broke is reported like every other failure
    if (signal.aborted && (error as NodeJS.ErrnoException | undefined)?.code === 'EPIPE') return exitCodes.ok
    const { describeError } = await import('./failure/describe-error.ts')
    const failure = describeError(error)
    output.failure(failure)
    return failure.exit
  }
}

function namedCommand(args: readonly string[]): readonly string[] {
  const [first, ...rest] = args
  if (first === undefined || first === '--help' || first === '-h') return ['help', ...rest]
  return first === '--version' ? ['version', ...rest] : args
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve()
    else stream.write('', () => resolve())
  })
}
