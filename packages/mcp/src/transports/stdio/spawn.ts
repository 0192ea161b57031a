import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Channel } from '../../rpc/channel.ts'
import { McpError } from '../../wire/errors.ts'
import { resolveKnownLimits } from '../../wire/resolve-limits.ts'
import { checkedDelay } from '../timers.ts'
import { childEnvironment } from './child-environment.ts'
import { ChildProgram, type Exit, type ProgramOptions, programDefaults } from './child-program.ts'
import { resolveCommand } from './find-command.ts'
import { markVariable, newMark } from './marked-processes.ts'
import { checkTarget, type SpawnTarget } from './spawn-target.ts'
import { StdioChannel, type StdioOptions } from './stdio-channel.ts'
import { type SpawnLimits, spawnLimits } from './stdio-limits.ts'

/** Options of {@link spawnChannel}. */
export interface SpawnOptions extends ProgramOptions, Omit<StdioOptions, 'role' | 'drainMs' | 'limits'> {
  /** Limits of messages and of kept stderr. */
  readonly limits?: Partial<SpawnLimits>
}

/** A channel to a child process; closing it stops the child and its descendants. */
export interface ChildChannel extends Channel {
  readonly pid: number | undefined
  readonly exited: Promise<Exit>
  /** The end of what the server wrote to stderr. */
  stderr(): string
}

/** Starts the program of a server, and returns a channel over its stdin and stdout. */
export function spawnChannel(target: SpawnTarget, options: SpawnOptions = {}): ChildChannel {
  checkTarget(target)
  const graceMs = checkedDelay('graceMs', options.graceMs ?? programDefaults.graceMs)
  const limits = resolveKnownLimits(spawnLimits, options.limits)
  const mark = options.endDaemons ? newMark() : undefined
  const child = start(target, mark)
  const { maxStderrChars } = limits
  const program = new ChildProgram(child, { ...options, graceMs, mark, maxStderrChars })
  const streams = {
    input: child.stdout,
    output: child.stdin,
    ended: () => program.outcome((failure) => spawnError(target, failure)),
    release: () => program.stop(),
  }
  const onNoise = (line: string): void => {
    program.addNoise(line)
    options.onNoise?.(line)
  }
  const channel = new StdioChannel(streams, { ...options, onNoise, limits, role: 'client', drainMs: graceMs })
  return {
    pid: child.pid,
    exited: program.exited,
    stderr: () => program.stderr,
    get strayOutput() {
      return program.strayOutput(channel.unfinished)
    },
    open: (receiver) => channel.open(receiver),
    send: (message) => channel.send(message),
    close: () => channel.close(),
    pause: () => channel.pause(),
  }
}

function start(target: SpawnTarget, mark: string | undefined): ChildProcessWithoutNullStreams {
  const env: Record<string, string> = {
    ...childEnvironment(target),
    ...(mark !== undefined && { [markVariable]: mark }),
  }
  const { command, args } = resolveCommand(target.command, target.args ?? [], { env, cwd: target.cwd })
  try {
    // a process group of its own, so that the whole tree can be ended; Windows has other means
    const detached = process.platform !== 'win32'
    return spawn(command, args, { cwd: target.cwd, env, detached, windowsHide: true })
  } catch (error) {
    throw spawnError(target, error as Error)
  }
}

function spawnError({ command, cwd }: SpawnTarget, cause: NodeJS.ErrnoException): McpError {
  const why =
    cwd !== undefined && !existsSync(cwd) ? `there is no directory "${cwd}" to start it in` : diagnosis(cause, command)
  return new McpError('Spawn', `Cannot start "${command}": ${why}`, { outcome: 'NotSent', cause })
}

function diagnosis({ code, message }: NodeJS.ErrnoException, command: string): string {
  const [program = '', ...args] = command.trim().split(/\s+/)
  if (code === 'ENOENT' && args.length > 0)
    return `no such program; arguments stand apart, as in { command: ${JSON.stringify(program)}, args: ${JSON.stringify(args)} }`
  if (code === 'ENOENT') return 'no such program; install it, or give its full path'
  // EFTYPE: a file that Windows cannot start
  if (code === 'EACCES' || code === 'EFTYPE')
    return 'not an executable file; make it executable, or start the program that interprets it'
  return message
}
