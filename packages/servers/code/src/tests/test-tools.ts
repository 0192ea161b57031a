import { showWords } from '@trunkline/base/show-words'
import { type Context, type Reply, reply } from '@trunkline/mcp'
import { insidePath } from '@trunkline/server-kit/folders'
import { listArguments } from '@trunkline/server-kit/list'
import { writePlan } from '@trunkline/server-kit/preview'
import { explained, ToolProblem } from '@trunkline/server-kit/tool-problem'
import { type CodeOffers, onlyReads } from '../code-offers.ts'
import { pageOf } from '../page.ts'
import type { Project } from '../project.ts'
import { allowedOf, type CodeSetup, projectAt, projectOf } from '../setup.ts'
import { type RunnerName, runnerNames, runners, type TestRunner } from './runners.ts'
import type { TestResult } from './test-report.ts'
import type { RunResults } from './test-runs.ts'

/** Results that are listed after a run, and by default. */
const defaultLimit = 20

/** Offers the tools that run tests and show their results. */
export function offerTestTools(code: CodeOffers, setup: CodeSetup): void {
  offerResults(code, setup)
  code.tool(
    'run_tests',
    {
      description:
        'Runs tests of the project with its own runner, which executes code of the project. Failed ones are listed.',
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
      input: {
        type: 'object',
        properties: {
          runner: { enum: runnerNames },
          files: { type: 'array', items: { type: 'string' }, maxItems: 100 },
          name: { type: 'string', minLength: 1, maxLength: 200, description: 'Only tests whose names contain it' },
        },
        additionalProperties: false,
      },
      effects: { writes: ['./**'], cost: 'runs code of the project' },
      concurrency: 'serial',
      task: 'optional',
      preview: async (given, ctx) => {
        const { words, runner, project, files, name } = await commandOf(setup, ctx as Context, given)
        const added = runner.arguments({ files, name, report: 'REPORT' })
        return writePlan({
          changes: [`run tests of "${project.name}" in ${project.root}: it executes code of the project`],
          request: showWords([...words, ...added.map((word) => word.replace(/=data:.*/, '=REPORTER'))]),
        })
      },
    },
    explained(async (given, ctx) => {
      const command = await commandOf(setup, ctx, given)
      const { project, runner, words } = command
      await project.accepted.require({ project: project.root, words, what: `the tests with ${runner.name}` }, ctx)
      const onTest = (count: number, line: string): void => {
        const percent = /\[ *(\d+)%\]$/.exec(line)?.[1]
        void (percent === undefined ? ctx.progress(count) : ctx.progress(Number(percent), 100)).catch(() => {})
        ctx.status?.(`${count} tests have ended`)
      }
      const run = await setup.tests.run({ ...command, signal: ctx.signal, onTest })
      const failed = run.results.filter(({ state }) => state === 'failed')
      const query = { state: 'failed' }
      return resultsReply(run, await pageOf(failed, { limit: defaultLimit, cursor: undefined, query }, (one) => one))
    }),
  )
}

interface GivenRun {
  readonly runner?: RunnerName | undefined
  readonly files?: readonly string[] | undefined
  readonly name?: string | undefined
}

async function commandOf(setup: CodeSetup, ctx: Context, given: GivenRun) {
  const allowed = await allowedOf(setup, ctx)
  const paths = await Promise.all((given.files ?? []).map((path) => insidePath(allowed, path)))
  const [first] = paths
  const project = first === undefined ? await projectAt(setup, ctx) : projectOf(setup, first)
  const files = paths.map((path) => `./${project.shown(path)}`)
  const runner = await runnerOf(project, given.runner)
  return { project, runner, words: await runner.command(project.root), files, name: given.name }
}

async function runnerOf(project: Project, wanted: RunnerName | undefined): Promise<TestRunner> {
  for (const runner of runners) {
    if (wanted === undefined ? await runner.isUsed(project.root) : runner.name === wanted) return runner
  }
  throw new ToolProblem('unavailable', `Cannot run tests of "${project.name}": no test runner was found`, {
    next: `Name one as "runner": ${runnerNames.join(', ')}; nothing was changed`,
  })
}

function offerResults(code: CodeOffers, setup: CodeSetup): void {
  const state = { enum: ['failed', 'passed', 'skipped'], default: 'failed' } as const
  code.tool(
    'get_test_results',
    {
      description: 'Results of the last run_tests; runs nothing.',
      annotations: onlyReads,
      input: {
        type: 'object',
        properties: { state, path: { type: 'string' }, ...listArguments({ limit: defaultLimit }) },
        additionalProperties: false,
      },
    },
    explained(async ({ limit = defaultLimit, cursor, ...given }, ctx) => {
      const { state: wanted = 'failed', path } = given
      const project = await projectAt(setup, ctx, path)
      const run = setup.tests.last(project)
      if (run === undefined) {
        throw new ToolProblem('not_found', 'There are no test results: no tests have run yet', {
          next: 'Use run_tests',
        })
      }
      const real = path === undefined ? undefined : project.shown(await insidePath(await allowedOf(setup, ctx), path))
      const all = run.results.filter((one) => one.state === wanted && (real === undefined || isBelow(one, real)))
      // the cursor of run_tests goes on here
      const query = { state: wanted, ...(path !== undefined && { path }) }
      return resultsReply(run, await pageOf(all, { limit, cursor, query }, (one) => one))
    }),
  )
}

function isBelow({ path = '' }: TestResult, shown: string): boolean {
  return shown === '' || path === shown || path.startsWith(`${shown}/`)
}

function resultsReply(run: RunResults, page: { items: readonly TestResult[]; next?: string | undefined }): Reply {
  const { results: _, ...totals } = run
  const items = page.items.map(({ state: _, ...item }) => item)
  const { next } = page
  const more = next === undefined ? [] : [`[more: get_test_results with "cursor": ${JSON.stringify(next)}]`]
  return reply([resultsText(run, page.items), ...more].join('\n'), {
    structured: { ...totals, items, ...(next !== undefined && { next }) },
  })
}

/** Totals of a run, and tests with their messages. */
export function resultsText(run: RunResults, items: readonly TestResult[]): string {
  const { runner, at, passed, failed, skipped, note } = run
  const totals = `${runner}, ${at}: ${passed} passed, ${failed} failed, ${skipped} skipped${note ? `; ${note}` : ''}`
  const shown = items.map(({ name, path, line, message }) => {
    const place = path === undefined ? [] : [`${path}${line === undefined ? '' : `:${line}`}`]
    const words = [...place, ...(name === path ? [] : [name])].join(' ')
    return `${words}${message === undefined ? '' : `\n    ${message.replaceAll('\n', '\n    ')}`}`
  })
  return [totals, ...shown].join('\n')
}
