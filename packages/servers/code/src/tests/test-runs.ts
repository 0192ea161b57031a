import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { quoted } from '@trunkline/server-kit/preview'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import { ProgramGroup, whyNotStartable } from '../lsp/program-group.ts'
import type { Project } from '../project.ts'
import type { RunnerName, TestRunner } from './runners.ts'
import { hasName, type TestResult } from './test-report.ts'

/** Results of the last run of tests in a project. */
export interface RunResults {
  readonly runner: RunnerName
  /** Time of its end. */
  readonly at: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** End of a runner that failed without a failed test. */
  readonly note?: string
  readonly results: readonly TestResult[]
}

/** A run of tests that is to begin. */
export interface TestCommand {
  readonly project: Project
  readonly runner: TestRunner
  /** The command that the person accepted. */
  readonly words: readonly string[]
  readonly files: readonly string[]
  readonly name: string | undefined
  readonly signal: AbortSignal
  onTest(count: number, line: string): void
}

/** The last results per project; runs tests one project at a time. */
export class TestRuns {
  readonly #last = new Map<Project, RunResults>()
  /** Called when a run has ended. */
  onFinished: (project: Project) => void = () => {}

  last(project: Project): RunResults | undefined {
    return this.#last.get(project)
  }

  /** Runs tests and keeps their results; without a report that can be read, those of the last run stay. */
  async run(command: TestCommand): Promise<RunResults> {
    const { project, runner, words } = command
    const missing = whyNotStartable(words[0] ?? '', project.root)
    if (missing !== undefined) {
      throw new ToolProblem('unavailable', `Cannot run tests with ${runner.name}: ${missing}`, {
        next: `Install ${runner.name}, or name another "runner"; nothing was changed`,
      })
    }
    const folder = await mkdtemp(join(tmpdir(), 'trunkline-code-'))
    try {
      const { report, failure } = await reportOf(command, join(folder, 'report'))
      const results = report.slice(0, project.limits.maxTestResults).map((one) => relativeTo(project, one))
      const hasFailed = report.some(({ state }) => state === 'failed')
      const count = (state: TestResult['state']) => report.filter((one) => one.state === state).length
      const run: RunResults = {
        runner: runner.name,
        at: new Date().toISOString(),
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        ...(!hasFailed && failure !== undefined && { note: `no test failed, but ${runner.name}: ${failure}` }),
        results,
      }
      this.#last.set(project, run)
      this.onFinished(project)
      return run
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** Report of a runner. */
interface RunnerReport {
  readonly report: readonly TestResult[]
  /** Words about its end, unless it ended well. */
  readonly failure: string | undefined
}

/** Runs the program to its end and reads its report. */
async function reportOf(command: TestCommand, file: string): Promise<RunnerReport> {
  const { project, runner, words, files, name, signal } = command
  const { limits, root } = project
  const added = runner.arguments({ files, name, report: file })
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const program = new ProgramGroup({ words: [...words, ...added], cwd: root, env })
  program.process.stdin.end()
  const output = collect(program, command)
  const stop = () => void program.stop(limits.graceMs)
  const late = setTimeout(stop, limits.testsMs)
  signal.addEventListener('abort', stop)
  const ended = await program.ended
  clearTimeout(late)
  signal.removeEventListener('abort', stop)
  // what tests left running ends with them
  await program.stop(limits.graceMs)
  signal.throwIfAborted()
  const text = runner.reportsToOutput ? await output : await readReport(file, limits.maxReportBytes)
  const all = readable(() => runner.read(text ?? ''))
  // some runners report tests of other names as skipped
  const report = name === undefined ? all : all.filter((one) => one.state !== 'skipped' || hasName(one, name))
  if (report.length > 0) return { report, failure: program.process.exitCode === 0 ? undefined : ended }
  const lastLines = (program.stderr || (await output)).trim().split('\n').slice(-5).join('\n')
  throw new ToolProblem(
    'unavailable',
    `${runner.name} reported no test: ${ended}; it wrote ${quoted(lastLines, 400)}`,
    {
      next: 'Check "files" and "name"; nothing was changed',
    },
  )
}

/** Reads the output of a runner: counts tests, and keeps as much as a report may have. */
function collect({ process }: ProgramGroup, { runner, onTest, project }: TestCommand): Promise<string> {
  const { maxReportBytes } = project.limits
  const decoder = new StringDecoder('utf8')
  let [all, line, count] = ['', '', 0]
  process.stdout.on('data', (bytes: Buffer) => {
    const text = decoder.write(bytes)
    if (all.length + text.length <= maxReportBytes) all += text
    const lines = (line + text).split('\n')
    line = (lines.pop() ?? '').slice(-100_000)
    for (const one of lines) if (runner.isTestLine(one)) onTest(++count, one)
  })
  return new Promise((resolve) => process.once('close', () => resolve(all)))
}

async function readReport(file: string, maxBytes: number): Promise<string | undefined> {
  const state = await stat(file).catch(() => undefined)
  if (state === undefined) return undefined
  if (state.size > maxBytes) {
    throw new ToolProblem('unavailable', `The report of the tests has ${state.size} bytes, more than ${maxBytes}`, {
      next: 'Run fewer files',
    })
  }
  return readFile(file, 'utf8')
}

function readable(read: () => readonly TestResult[]): readonly TestResult[] {
  try {
    return read()
  } catch {
    return []
  }
}

function relativeTo(project: Project, result: TestResult): TestResult {
  const { name, path } = result
  if (path === undefined || !isAbsolute(path)) return result
  const shown = project.shown(path)
  // a file that failed as a whole has its path as name
  return { ...result, name: name === path ? shown : name, path: shown }
}
