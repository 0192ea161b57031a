/** The official referee: every scenario of the conformance suite against our fixtures, at every revision, in one table. */
import { parseArgs } from 'node:util'
import { startServer } from './conformance/fixture.ts'
import { judgeAll, rowsOf } from './conformance/judge-all.ts'
import { planAll, planEach } from './conformance/plan.ts'
import type { Scenario } from './conformance/scenarios.ts'
import { installed, Suite } from './conformance/suite.ts'
import { complaints, summary, table, unchecked } from './conformance/table.ts'
import { fail } from './lib/problem.ts'

const server = 'packages/mcp/test/conformance/server.ts'
const client = 'node packages/mcp/test/conformance/client.ts'
const gateway = 'packages/host/test/conformance/gateway.ts'

const help = `Usage: npm run conformance -- [--only <text>] [--suite <folder>] [--through http|stdio]

Runs the scenarios of @modelcontextprotocol/conformance at every revision they apply to and prints one table.
  --only   only scenarios whose name contains the text; may be repeated
  --suite  where the suite is, or CONFORMANCE_SUITE in the environment; else what is installed here
  --through  judges our server behind the gateway, which reaches it over HTTP or stdio
`

/** A server that ends a stream early to be asked again does so on its own hop, so a gateway in front shows none of it. */
const endsAtTheGateway: ReadonlySet<string> = new Set(['server-sse-polling'])

function passesGateways({ side, name, revisions }: Scenario): boolean {
  return side === 'server' && !revisions.includes('extension') && !endsAtTheGateway.has(name)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      suite: { type: 'string', default: process.env.CONFORMANCE_SUITE ?? installed },
      through: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(help)
  const { only = [''] } = values
  const suite = new Suite(values.suite)
  const { through } = values
  const scenarios = (await suite.scenarios())
    .filter(({ name }) => only.some((text) => name.includes(text)))
    // extensions end at the gateway, and clients are not judged through one
    .filter((scenario) => through === undefined || passesGateways(scenario))
  if (scenarios.length === 0)
    throw new Error(`Cannot run "${only.join('", "')}": no scenario has such a name\n\n${help}`)

  await using fixture =
    through === undefined ? await startServer(server) : await startServer(gateway, { UPSTREAM: through })
  const runs = values.only ? planEach(scenarios) : planAll(scenarios)
  // over a pipe a server does not say which call a log message is about, so through the gateway there is one at a time
  const atOnce = through === undefined ? undefined : 1
  const judged = await judgeAll(runs, (run) => suite.judge(run, { serverUrl: fixture.url, client }), atOnce)

  const rows = rowsOf(scenarios, judged)
  const wrong = complaints(rows)
  console.log([table(rows), ...wrong, ...unchecked(rows), summary(rows, scenarios)].join('\n\n'))
  process.exitCode = wrong.length === 0 ? 0 : 1
}

if (import.meta.main) await main().catch(fail)
