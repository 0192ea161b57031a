import type { Context, Fields } from '@trunkline/mcp'
import { argumentVector } from './argument-vector.ts'
import type { ProgramDescription, ProgramTool } from './description.ts'
import type { KeptOutputs } from './kept-outputs.ts'
import { type ProgramCall, type ProgramOutcome, runProgram } from './program-run.ts'
import type { RunningPrograms } from './running-programs.ts'
import { TerminalRuns } from './terminal-runs.ts'
import { workingFolder } from './working-folder.ts'
import type { WrapLimits } from './wrap-limits.ts'

/** Options for running the tools of a description. */
export interface WrapOptions {
  /** Version of the server, which is that of the command that wraps. */
  readonly version: string
  /** The folders that calls may run in. */
  readonly roots: readonly string[]
  readonly env: { readonly [name: string]: string }
  readonly timeoutMs?: number | undefined
  readonly tty?: boolean | undefined
  readonly limits?: Partial<WrapLimits>
}

/** Runs the program of a tool with the arguments of a call. */
export type Runner = (tool: ProgramTool, given: Fields, ctx: Context) => Promise<ProgramOutcome>

/** Options with all defaults filled in. */
export interface RunnerOptions extends WrapOptions {
  readonly limits: WrapLimits
  readonly outputs: KeptOutputs
  readonly running: RunningPrograms
}

/** Runs the program of a description for its tools, so many at once. */
export function programRunner(description: ProgramDescription, options: RunnerOptions): Runner {
  const [command = '', ...args] = description.program
  const { roots, env, limits, outputs } = options
  const terminals = new TerminalRuns(limits)
  let runs = 0
  return async (tool, given, ctx) => {
    const seconds = tool.timeoutSeconds ?? description.timeoutSeconds ?? defaultSeconds
    const call: ProgramCall = {
      command,
      args: [...args, ...argumentVector(tool, given)],
      cwd: await workingFolder(given.cwd as string | undefined, roots),
      env,
      ...(typeof given.stdin === 'string' && { stdin: given.stdin }),
      timeoutMs: options.timeoutMs ?? seconds * 1_000,
      signal: ctx.signal,
      outputs,
      limits,
      onStart: (group) => options.running.add(tool.name, group),
    }
    if (tool.tty ?? options.tty ?? description.tty) return terminals.complete(call, ctx)
    if (runs >= limits.maxRuns) throw new Error(`Cannot start "${command}": ${runs} of it run already; try again later`)
    runs += 1
    try {
      return await runProgram(call)
    } finally {
      runs -= 1
    }
  }
}

const defaultSeconds = 60
