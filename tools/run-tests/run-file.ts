import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../lib/files.ts'
import { type Report, readReport, type TestRecord } from './records.ts'

/** Result of a test file. */
export interface FileOutcome {
  readonly file: string
  readonly records: readonly TestRecord[]
  /** Problem of the file as a whole, whatever its tests said. */
  readonly problem?: string
  /** All that it wrote. */
  readonly output: string
  readonly ms: number
  /** Processor time of its process and of those that it started and that had ended. */
  readonly cpuMs: number
}

/** Options for running a test file. */
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
  /** Reason why we ended it. */
  readonly stopped: string | undefined
  readonly leftBehind: boolean
  readonly output: string
}

const reporter = new URL('reporter.ts', import.meta.url).href
const relativeImports = new URL('relative-imports.ts', import.meta.url).href
const together = fileURLToPath(new URL('together.ts', import.meta.url))
const hasGroups = process.platform !== 'win32'
// output may arrive after the end of its process, but not long after
const outputGraceMs = 5000
const lookMs = 250
let processes = 0

/** Runs a test file in a process of its own and ends it, with all that it started, when its time is over. */
export async function runFile(file: string, options: FileOptions): Promise<FileOutcome> {
  const { report, output, problem, ms } = await runReported([file], options)
  const { records, cpuMs } = report
  return { file, records, output, ms, cpuMs, ...(problem && { problem }) }
}

/**
 * Runs some test files in one process, which saves a start for each. Where the process as a whole has a problem, every
 * file runs again alone, so that the one which has it is named.
 */
export async function runGroup(files: readonly string[], options: FileOptions): Promise<readonly FileOutcome[]> {
  const { report, output, problem, ms } = await runReported(files, options)
  const [first = ''] = files
  if (problem === undefined) {
    return files.map((file) => {
      const records = report.records.filter((record) => fileOf(record, files) === file)
      const isFirst = file === first
      return { file, records, output: isFirst ? output : '', ms: isFirst ? ms : 0, cpuMs: isFirst ? report.cpuMs : 0 }
    })
  }
  const alone: FileOutcome[] = []
  for (const file of files) alone.push(await runFile(file, options))
  if (alone.some(hasFailed)) return alone
  const together = `it passes alone, but not in one process with ${files.slice(1).join(', ')}: ${problem}`
  return alone.map((outcome) => (outcome.file === first ? { ...outcome, problem: together, output } : outcome))
}

function hasFailed({ records, problem }: FileOutcome): boolean {
  return problem !== undefined || records.some(({ outcome }) => outcome === 'failed')
}

/** The file among those of a process that a test belongs to; one that a helper defined counts for the first of them. */
function fileOf({ at = '' }: TestRecord, files: readonly string[]): string | undefined {
  return files.find((file) => at.includes(`/${file}:`)) ?? files[0]
}

interface Reported {
  readonly report: Report
  readonly output: string
  readonly problem: string | undefined
  readonly ms: number
}

async function runReported(files: readonly string[], options: FileOptions): Promise<Reported> {
  const start = performance.now()
  processes += 1
  const destination = join(options.folder, `${processes}.jsonl`)
  const ending = await runProcess(files, destination, options)
  const report = readReport(existsSync(destination) ? readFileSync(destination, 'utf8') : '')
  return { report, output: ending.output, problem: problemOf(ending, report), ms: performance.now() - start }
}

function runProcess(files: readonly string[], destination: string, options: FileOptions): Promise<Ending> {
  const { limitMs, signal, cwd = root } = options
  const program = files.length > 1 ? [together] : []
  const reporting = [`--test-reporter=${reporter}`, `--test-reporter-destination=${destination}`]
  const args = [`--import=${relativeImports}`, ...reporting, ...program, ...files]
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
      // processes that left the group go on, and would hold them open
      for (const stream of [child.stdout, child.stderr]) stream.destroy()
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

/** True if a test has failed so far. */
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

/** Problem of a file; a failed test is none of its own. */
export function problemOf(ending: Omit<Ending, 'output'>, report: Report): string | undefined {
  const { records, running, finished, foreign } = report
  const { code, by, stopped, leftBehind } = ending
  const busy = running.length > 0 ? `while "${running.join('" › "')}" ran` : 'before its first test'
  if (stopped && finished) return `${stopped}: its tests were over, but something kept it alive`
  if (stopped) return `${stopped}, ${busy}`
  if (by) return `it was ended by ${by} ${busy}`
  if (leftBehind) return 'a process that it started outlived it'
  if (foreign !== undefined) return `something else wrote into its report: ${foreign.slice(0, 100)}`
  if (records.some(({ outcome }) => outcome === 'failed')) return undefined
  if (code !== 0) return `it ended with exit code ${code} ${finished ? 'after its last test' : busy}`
  if (finished) return undefined
  return running.length > 0 ? `it ended ${busy}` : 'it ended without a test'
}
