/** All that has to be true of the repository, checked in order: `npm test` runs what is quick, `npm run gate` the rest. */
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { alreadyBuilt } from './lib/already-built.ts'
import { keepCompiled } from './lib/compile-cache.ts'
import { root } from './lib/files.ts'
import { runInLanes } from './lib/lanes.ts'
import { fail } from './lib/problem.ts'
import { run, tool, tsc } from './lib/run.ts'
import { isAtLeast } from './lib/version.ts'
import type { Half } from './run-tests/halves.ts'

/** One part of the gate. */
export interface Step {
  readonly name: string
  /** The command that runs it: `npm test` or `npm run gate`. */
  readonly half: Half
  /** Arguments for Node. */
  readonly args: readonly string[]
  /** True if it writes to the terminal while it runs. */
  readonly shown?: boolean
  /** The step that has to be over before, or `all` of them. */
  readonly after?: string
}

const oldestNode = '24.2'
const stepLimitMs = 900_000
// most of a step is one thread, and the gate is meant for two cores
const stepsAtOnce = 2
const builtCommand = join(root, 'packages/cli/dist/bin/trunkline.js')
const checks = globSync('tools/check-*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).sort()

// each way to reach a server and each view of it once, at the newest revision of either kind: the others differ in what a
// gateway never sees; "npm run conformance" has all
const judged = [
  ...['direct', 'http', 'aggregate-stdio'].flatMap((way) => ['--through', way]),
  ...['2025-11-25', '2026-07-28', 'extension'].flatMap((revision) => ['--behind', revision]),
]

/**
 * All steps in order. The tests of the quick half come last: what takes seconds is said before what takes minutes. Format
 * and types take longest of the others, so they begin first, side by side: at the end no core waits for one of them.
 */
export const steps: readonly Step[] = [
  ...inHalf('quick', [
    { name: 'format', args: [tool('biome'), 'check', '--error-on-warnings'] },
    { name: 'types', args: tsc('--noEmit') },
    ...checks.map((path) => ({ name: basename(path, '.ts').replace('check-', ''), args: [path] })),
    { name: 'tests', args: ['tools/run-tests.ts', '--half', 'quick'], shown: true, after: 'all' },
  ]),
  ...inHalf('gate', [
    { name: 'build', args: ['--run', 'build'] },
    { name: 'conformance', args: ['tools/conformance.ts', ...judged] },
    // they take longest, and wait much: the other steps have what they leave of the processor
    { name: 'gate tests', args: ['tools/run-tests.ts', '--half', 'gate'], shown: true, after: 'build' },
    { name: 'package', args: ['tools/smoke.ts'], after: 'build' },
    { name: 'command', args: ['tools/smoke-command.ts'], after: 'build' },
    { name: 'runtimes', args: ['runtimes/run.ts'], after: 'build' },
    { name: 'nodes', args: ['runtimes/nodes.ts'], after: 'build' },
    { name: 'windows', args: ['tools/windows.ts'], after: 'build' },
    { name: 'types apart', args: ['tools/types-apart.ts'] },
    { name: 'examples', args: ['tools/run-examples.ts'] },
  ]),
]

function inHalf(half: Half, of: readonly Omit<Step, 'half'>[]): readonly Step[] {
  return of.map((step) => ({ ...step, half }))
}

const help = `Usage: node tools/ok.ts [--gate] [--only <step>] [--since <revision>]

Runs the steps of "npm test", ${stepsAtOnce} at a time, and stops when one has failed:
  ${namesIn('quick')}
  --gate       those of "npm run gate" instead: ${namesIn('gate')}
  --only NAME  one step of either
  --since REV  of the tests, those that the changes since a revision may affect
`

function namesIn(half: Half): string {
  return steps
    .filter((step) => step.half === half)
    .map(({ name }) => name)
    .join(', ')
}

/** The steps that the command line asks for, with those that have to be over before them. */
export function chosenSteps(half: Half, only: string | undefined): readonly Step[] {
  const before = steps.find(({ name }) => name === only)?.after
  const chosen = steps.filter(({ name, half: own }) =>
    only === undefined ? own === half : name === only || name === before,
  )
  if (chosen.length === 0) throw new Error(`Cannot run "${only}": no such step\n\n${help}`)
  return chosen
}

async function passes(step: Step): Promise<boolean> {
  const { name, args, shown = false } = step
  if (shown) console.log(`     ${name}`)
  const start = performance.now()
  // the tests have limits of their own
  const limits = shown ? { shown } : { limitMs: stepLimitMs }
  const { passed, output } = await run(process.execPath, args, { ...limits, env: environmentOf(step) })
  if (shown) return passed
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const said = passed ? output.trim().split('\n').at(-1) : ''
  console.log(`${passed ? 'ok  ' : 'FAIL'} ${name.padEnd(11)} ${seconds.padStart(5)} s  ${said}`.trimEnd())
  if (!passed) console.error(output)
  return passed
}

/** The environment of a step. */
export function environmentOf({ after, shown = false }: Pick<Step, 'after' | 'shown'>): NodeJS.ProcessEnv {
  if (after !== 'build') return process.env
  // what has been built is what people install, and starts in half the time that sources take
  const tested = shown ? { COMMAND_UNDER_TEST: builtCommand } : {}
  return { ...process.env, ...tested, [alreadyBuilt]: '1' }
}

async function main(): Promise<void> {
  if (!isAtLeast(process.versions.node, oldestNode)) {
    throw new Error(
      `Cannot run on Node ${process.versions.node}: use "npm test", or install Node ${oldestNode} if npm has none for ${process.platform} ${process.arch}`,
    )
  }
  const { values } = parseArgs({
    options: {
      gate: { type: 'boolean', default: false },
      only: { type: 'string' },
      since: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(help)
  keepCompiled(process.env)
  // the compiler is written in Go, whose collector takes a third of its processor time: below this limit it does not begin
  process.env.GOGC ??= 'off'
  process.env.GOMEMLIMIT ??= '4GiB'
  const since = values.since === undefined ? [] : ['--since', values.since]
  const chosen = chosenSteps(values.gate ? 'gate' : 'quick', values.only).map((step) =>
    step.shown ? { ...step, args: [...step.args, ...since] } : step,
  )
  const failed: string[] = []
  const start = performance.now()
  await runInLanes(chosen, {
    lanes: stepsAtOnce,
    waits,
    run: async (step) => {
      const passed = await passes(step)
      if (!passed) failed.push(step.name)
      return passed
    },
  })
  console.log(closing(failed, chosen.length, performance.now() - start))
  if (failed.length > 0) process.exitCode = 1
}

/** The last line: with two steps at a time, the failure of one may stand far above. */
function closing(failed: readonly string[], count: number, ms: number): string {
  const seconds = Math.round(ms / 1000)
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} minutes`
  return failed.length > 0 ? `FAIL ${failed.join(', ')} in ${time}` : `ok   ${count} steps in ${time}`
}

function waits(step: Step, unfinished: readonly Step[]): boolean {
  const others = unfinished.filter((other) => other !== step)
  return step.after === 'all' ? others.length > 0 : others.some(({ name }) => name === step.after)
}

// a Node too old for this gate may also be too old to say whether this is the main module
if (import.meta.main ?? true) await main().catch(fail)
