/** The official referee: every scenario of the conformance suite against our fixtures, at every revision, in one table. */
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { missingBehind } from './conformance/compare.ts'
import { startServer } from './conformance/fixture.ts'
import { judgeAgain, judgeAll, rowsOf } from './conformance/judge-all.ts'
import { planAll, planEach, type Run } from './conformance/plan.ts'
import type { Scenario } from './conformance/scenarios.ts'
import { installed, Suite } from './conformance/suite.ts'
import { complaints, type Row, summary, table, unchecked } from './conformance/table.ts'
import { root } from './lib/files.ts'
import { fail } from './lib/problem.ts'
import { bundlesVariable, programFile } from './lib/program-file.ts'

const server = 'packages/mcp/test/conformance/server.ts'
const client = 'packages/mcp/test/conformance/client.ts'
/** Plays what many clients hand over, which load nothing of their own. */
const resident = 'packages/mcp/test/conformance/client/resident.ts'
const handOver = 'packages/mcp/test/conformance/client/hand-over.ts'
const gateway = 'packages/host/test/conformance/gateway.ts'
/** Three processes of our server over an engine, behind a balancer. */
const cluster = 'packages/stores/balanced/conformance-server.ts'

/** A program in front of our server, with its environment. */
interface Front {
  readonly program: string
  readonly env: NodeJS.ProcessEnv
}

/** Ways to reach our server; undefined without anything in front. */
const ways: { readonly [name: string]: Front | undefined } = {
  direct: undefined,
  http: { program: gateway, env: { UPSTREAM: 'http' } },
  stdio: { program: gateway, env: { UPSTREAM: 'stdio' } },
  'aggregate-http': { program: gateway, env: { UPSTREAM: 'http', VIEW: 'aggregate' } },
  'aggregate-stdio': { program: gateway, env: { UPSTREAM: 'stdio', VIEW: 'aggregate' } },
  postgres: { program: cluster, env: { ENGINE: 'postgres' } },
  redis: { program: cluster, env: { ENGINE: 'redis' } },
}

/** Ways that need no engine. */
const usual = Object.keys(ways).filter((way) => ways[way]?.program !== cluster)

const help = `Usage: npm run conformance -- [--only <text>] [--suite <folder>] [--through <way>] [--revision <date>] [--behind <date>]

Runs the scenarios of @modelcontextprotocol/conformance at every revision they apply to and prints one table.
  --only   only scenarios whose name contains the text; may be repeated
  --suite  where the suite is, or CONFORMANCE_SUITE in the environment; else what is installed here
  --through  how our server is reached; may be repeated, else the first five, one after the other: direct, and behind the
             gateway, which reaches it over http or stdio, or so as one of many: aggregate-http, aggregate-stdio;
             after direct, every check that passed there has to pass behind the gateway too;
             postgres and redis start that engine, three processes of our server, and a balancer that sends
             every request to another one of them
  --revision  only what applies to this revision, or to none ("extension"); may be repeated, else all of them
  --behind  the same for the ways behind the gateway alone
`

/** Scenarios in which a gateway differs on purpose. */
const endsAtTheGateway: ReadonlySet<string> = new Set([
  // a server that ends a stream early to be asked again does so on its own hop
  'server-sse-polling',
  // the gateway runs task-only tools for callers without tasks too
  'tasks-required-task-error',
])

/** True if a scenario applies behind a front: clients are judged without one. */
function passes({ program, env }: Front, { side, name }: Scenario): boolean {
  if (side !== 'server') return false
  // an engine that may lose what it confirmed keeps no tasks
  return program === cluster ? env.ENGINE !== 'redis' || !name.startsWith('tasks-') : !endsAtTheGateway.has(name)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      suite: { type: 'string', default: process.env.CONFORMANCE_SUITE ?? installed },
      through: { type: 'string', multiple: true },
      revision: { type: 'string', multiple: true },
      behind: { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(help)
  const { only, through = usual } = values
  const unknown = through.find((way) => !Object.hasOwn(ways, way))
  if (unknown !== undefined) throw new Error(`Cannot go through "${unknown}": no such way\n\n${help}`)
  using suite = new Suite(values.suite)
  const all = (await suite.scenarios()).filter(({ name }) => !only || only.some((text) => name.includes(text)))
  const found = values.revision ? atRevisions(all, values.revision) : all
  if (found.length === 0) throw new Error(`Cannot run "${only?.join('", "')}": no scenario has such a name\n\n${help}`)
  process.exitCode = 0
  using _programs = await bundled([client, resident, handOver, server])
  let direct: readonly Row[] = []
  for (const way of through) {
    if (through.length > 1) console.log(`\n${way}\n`)
    const scenarios = ways[way] && values.behind ? atRevisions(found, values.behind) : found
    const judged = await judgeWay(way, suite, { scenarios, isEach: only !== undefined, direct })
    if (way === 'direct') direct = judged.rows
    if (judged.isWrong) process.exitCode = 1
  }
}

/** Bundles programs, unless a run of tests has done so. */
async function bundled(programs: readonly string[]): Promise<Disposable | undefined> {
  if (bundlesVariable in process.env) return undefined
  // the bundler takes longer to load than all the rest
  const { bundlePrograms } = await import('./run-tests/bundled-programs.ts')
  return bundlePrograms(programs)
}

/** The scenarios that apply to some revisions, and to those alone. */
function atRevisions(scenarios: readonly Scenario[], wanted: readonly string[]): Scenario[] {
  return scenarios
    .map((scenario) => ({ ...scenario, revisions: scenario.revisions.filter((one) => wanted.includes(one)) }))
    .filter(({ revisions }) => revisions.length > 0)
}

interface Judging {
  readonly scenarios: readonly Scenario[]
  readonly isEach: boolean
  /** Results of the direct way to our server; empty if it was not judged. */
  readonly direct: readonly Row[]
}

/** Judges our server, reached in one way; tells what came of it and whether anything is wrong. */
async function judgeWay(
  way: string,
  suite: Suite,
  { scenarios: found, isEach, direct }: Judging,
): Promise<{ readonly rows: readonly Row[]; readonly isWrong: boolean }> {
  const front = ways[way]
  const scenarios = front ? found.filter((scenario) => passes(front, scenario)) : found
  if (scenarios.length === 0) return { rows: [], isWrong: false }
  await using fixture = front
    ? await startServer(front.program, front.env)
    : await startServer(programFile(join(root, server)))
  const runs = isEach ? planEach(scenarios) : planAll(scenarios)
  // over a pipe a server does not say which call a log message is about, so behind one there is one at a time
  // and a balancer can send each request of a client elsewhere than the last one if there is one client at a time
  const atOnce = front?.env.UPSTREAM === 'stdio' || front?.program === cluster ? 1 : undefined
  await using player = front ? undefined : await startServer(programFile(join(root, resident)))
  const clients = { client: started(client), manyClients: `${started(handOver)} ${portOf(player?.url)}` }
  const judge = (run: Run) => suite.judge(run, { serverUrl: fixture.url, ...clients })
  const late: string[] = []
  const judged = await judgeAgain(await judgeAll(runs, judge, atOnce), judge, ({ side, revision, names }) => {
    late.push(`${side} ${names.join()} at ${revision} passed when it was judged again, alone`)
  })
  const rows = rowsOf(scenarios, judged)
  const wrong = [...complaints(rows), ...missingBehind(direct, rows)]
  console.log([table(rows), ...wrong, ...late, ...unchecked(rows), summary(rows, scenarios)].join('\n\n'))
  return { rows, isWrong: wrong.length > 0 }
}

/** The command that starts a program: the suite splits it at spaces, which may be in the path of this folder, and starts it here. */
function started(program: string): string {
  return `node ${relative(root, programFile(join(root, program)))}`
}

function portOf(url: string | undefined): string {
  return url === undefined ? '' : new URL(url).port
}

if (import.meta.main) await main().catch(fail)
