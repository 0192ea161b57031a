import { spawn } from 'node:child_process'
import { type CapturedOutput, CapturedStream } from './captured-stream.ts'
import type { KeptOutputs } from './kept-outputs.ts'
import { ProcessGroup } from './process-group.ts'
import type { WrapLimits } from './wrap-limits.ts'

/** A program to run, with all that it gets. */
export interface ProgramCall {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: { readonly [name: string]: string }
  readonly stdin?: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly outputs: KeptOutputs
  readonly limits: WrapLimits
  /** Called with the processes of the program when it has been started. */
  readonly onStart?: (group: ProcessGroup) => void
}

/** Outcome of a run, and its output. */
export interface ProgramOutcome {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly isTimedOut: boolean
  readonly stdout: CapturedOutput
  readonly stderr: CapturedOutput
}

/** Runs a program without a shell, in a process group of its own; a call that is cancelled or late ends all of it. */
export async function runProgram(call: ProgramCall): Promise<ProgramOutcome> {
  const { command, args, cwd, env, stdin, timeoutMs, signal } = call
  signal.throwIfAborted()
  const child = spawn(command, [...args], {
    cwd,
    env,
    detached: true,
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  const group = new ProcessGroup(child)
  call.onStart?.(group)
  const stdout = new CapturedStream(call.outputs, call.limits)
  const stderr = new CapturedStream(call.outputs, call.limits)
  child.stdout?.on('data', (chunk: Buffer) => stdout.take(chunk))
  child.stderr?.on('data', (chunk: Buffer) => stderr.take(chunk))
  // a program need not read what it is given
  child.stdin?.on('error', () => {})
  child.stdin?.end(stdin)
  // background processes may keep its output open
  child.once('exit', () => {
    const leftBehind = setTimeout(() => group.signal('SIGKILL'), leftBehindMs)
    child.once('close', () => clearTimeout(leftBehind))
  })
  child.once('close', () => group.signal('SIGKILL'))
  const late = timeLimit(timeoutMs, () => void group.stop())
  const stop = (): void => void group.stop()
  signal.addEventListener('abort', stop)
  try {
    const ended = await new Promise<Pick<ProgramOutcome, 'exitCode' | 'signal'>>((resolve, reject) => {
      child.once('error', (error) => reject(cannotStart(command, error)))
      child.once('close', (exitCode, by) => resolve({ exitCode, signal: by }))
    })
    return { ...ended, isTimedOut: late.isOver(), stdout: stdout.end(), stderr: stderr.end() }
  } finally {
    late.clear()
    signal.removeEventListener('abort', stop)
  }
}

const leftBehindMs = 1_000

/** Calls back when a time is over, and says whether it was. */
export function timeLimit(ms: number, onOver: () => void): { isOver(): boolean; clear(): void } {
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    onOver()
  }, ms)
  return { isOver: () => isOver, clear: () => clearTimeout(timer) }
}

/** Error for a program that does not start. */
export function cannotStart(command: string, error: NodeJS.ErrnoException): Error {
  if (error.code === 'ENOENT') return new Error(`Cannot start "${command}": there is no such program`)
  if (error.code === 'EACCES') return new Error(`Cannot start "${command}": it is not allowed to be run`)
  if (error.code === 'E2BIG') return new Error(`Cannot start "${command}": its arguments are too long`)
  return new Error(`Cannot start "${command}": ${error.code ?? error.message}`)
}
