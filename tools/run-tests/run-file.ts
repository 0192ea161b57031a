import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../lib/files.ts'
import { type Report, readReport, type TestRecord } from './records.ts'

/** How a test file ran. */
export interface FileOutcome {
  readonly file: string
  readonly records: readonly TestRecord[]
  /** What is wrong with the file as a whole, whatever its tests said. */
  readonly problem?: string
  /** All that it wrote. */
  readonly output: string
  readonly ms: number
}

/** Where and how long a test file may run. */
export interface FileOptions {
  readonly limitMs: number
  /** A folder for what it reports. */
  readonly folder: string
  /** Ends the file for the given reason. */
  readonly signal: AbortSignal
  /** @default the root of the repository */
  readonly cwd?: string
  /** Ends the file as soon as one of its tests failed. @default false */
  readonly untilFailure?: boolean
}

interface Ending {
  readonly code: number | null
  readonly by: NodeJS.Signals | null
  /** Why we ended it. */
  readonly stopped: string | undefined
  readonly leftBehind: boolean
  readonly output: string
}

const reporter = new URL('reporter.ts', import.meta.url).href
const hasGroups = process.platform !== 'win32'
// what a process writes may arrive after its end, but not long after
const outputGraceMs = 5000
const lookMs = 250
let files = 0

/** Runs a test file in a process of its own and ends it, with all that it started, when its time is over. */
export async function runFile(file: string, options: FileOptions): Promise<FileOutcome> {
  const start = performance.now()
  files += 1
  const destination = join(options.folder, `${files}.jsonl`)
  const ending = await runProcess(file, destination, options)
  const report = readReport(existsSync(destination) ? readFileSync(destination, 'utf8') : '')
  const problem = problemOf(ending, report)
  const { records } = report
  return { file, records, output: ending.output, ms: performance.now() - start, ...(problem && { problem }) }
}

function runProcess(file: string, destination: string, options: FileOptions): Promise<Ending> {
  const { limitMs, signal, cwd = root } = options
  const args = [`--test-reporter=${reporter}`, `--test-reporter-destination=${destination}`, file]
  const child = spawn(process.execPath, args, { cwd, detached: hasGroups, stdio: ['ignore', 'pipe', 'pipe'] })
  const kept = { output: '', stopped: undefined as string | undefined, leftBehind: false }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      kept.output += text
    })
  const stop = (why: string) => {
    kept.stopped ??= why
    kill(child)
  }
  const abort = () => stop(String(signal.reason))
  let timer = setTimeout(stop, limitMs, `it took longer than ${limitMs / 1000} s`)
  const looking = options.untilFailure ? setInterval(() => hasFailure(destination) && kill(child), lookMs) : undefined
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  child.on('exit', () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      kept.leftBehind = kept.stopped === undefined
      kill(child)
    }, outputGraceMs)
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, by) => {
      clearTimeout(timer)
      clearInterval(looking)
      signal.removeEventListener('abort', abort)
      resolve({ code, by, ...kept })
    })
  })
}

/** Whether a test has failed so far. */
function hasFailure(destination: string): boolean {
  if (!existsSync(destination)) return false
  return readReport(readFileSync(destination, 'utf8')).records.some(({ outcome }) => outcome === 'failed')
}

/** Ends a process, and where there are groups all that it started. */
function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(hasGroups ? -pid : pid, 'SIGKILL')
  } catch {
    // it is gone already
  }
}

/** What is wrong with a file; a test that failed is no problem of its own. */
export function problemOf(ending: Omit<Ending, 'output'>, { records, running, finished }: Report): string | undefined {
  const { code, by, stopped, leftBehind } = ending
  const busy = running.length > 0 ? `while "${running.join('" › "')}" ran` : 'before its first test'
  if (stopped && finished) return `${stopped}: its tests were over, but something kept it alive`
  if (stopped) return `${stopped}, ${busy}`
  if (by) return `it was ended by ${by} ${busy}`
  if (leftBehind) return 'a process that it started outlived it'
  if (records.some(({ outcome }) => outcome === 'failed')) return undefined
  if (code !== 0) return `it ended with exit code ${code} ${finished ? 'after its last test' : busy}`
  if (finished) return undefined
  return running.length > 0 ? `it ended ${busy}` : 'it ended without a test'
}
