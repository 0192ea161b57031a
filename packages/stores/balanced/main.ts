/** Runs the requirements of the protocol and the official suite through three processes on an engine, behind a balancer. */
import { globSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { root } from '../../../tools/lib/files.ts'
import { run } from '../../../tools/lib/run.ts'
import { type EngineName, engineNames } from '../chaos/engines.ts'
import { startEngine } from './engine.ts'

const help = `Usage: npm run cluster -- [options]

Three processes of a server on one engine, and a balancer that sends every request to another one than the last.
  --engine NAME  ${engineNames.join(' or ')}, postgres
  --only TEXT    only the requirements in files whose name contains the text, and no official suite; may be repeated
`

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'postgres' },
    only: { type: 'string', multiple: true },
    help: { type: 'boolean', default: false },
  },
})
const engine = engineNames.find((name) => name === values.engine)
if (values.help) process.stdout.write(help)
else if (engine === undefined) fail()
else await main(engine, values.only)

function fail(): void {
  process.stderr.write(help)
  process.exitCode = 2
}

async function main(name: EngineName, only: readonly string[] | undefined): Promise<void> {
  const files = filesFor(name, only)
  if (files.length === 0) return fail()
  const passed = await requirements(files, name)
  const isWhole = only === undefined
  const judged = !isWhole || (await shown(['tools/conformance.ts', '--through', name]))
  if (!passed || !judged) process.exitCode = 1
}

/** Files of requirements; Redis may lose what it confirmed, so that it keeps no tasks. */
function filesFor(name: EngineName, only: readonly string[] = ['']): string[] {
  return globSync('packages/mcp/test/requirements/*.test.ts', { cwd: root })
    .filter((path) => !/coverage\.test/.test(path) && (name === 'postgres' || !/tasks\.test/.test(path)))
    .filter((path) => only.some((text) => path.includes(text)))
    .sort()
}

/** Runs the files in one process, so that they share the three that serve. */
async function requirements(files: readonly string[], name: EngineName): Promise<boolean> {
  await using running = await startEngine(name)
  const reporters = ['dot', new URL('count-reporter.ts', import.meta.url).href]
  const options = [
    '--test-isolation=none',
    '--test-timeout=120000',
    ...reporters.flatMap((one) => [`--test-reporter=${one}`, '--test-reporter-destination=stdout']),
  ]
  // a run within a test would report to that test, and not run the files
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return await shown(['--test', ...options, ...files], { ...env, CLUSTER: running.address })
}

async function shown(args: readonly string[], env = process.env): Promise<boolean> {
  return (await run(process.execPath, args, { shown: true, env })).passed
}
