/** Runs test files, each for a limited time, and shows progress, every failure in full and what was skipped. */
import { createWriteStream, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { keepCompiled } from './lib/compile-cache.ts'
import { readFiles, root } from './lib/files.ts'
import { fail } from './lib/problem.ts'
import { readUses } from './lib/reach.ts'
import { bundlePrograms } from './run-tests/bundled-programs.ts'
import { groupFiles, shareable } from './run-tests/groups.ts'
import { type Half, halvesOf } from './run-tests/halves.ts'
import { Progress } from './run-tests/progress.ts'
import { runAll } from './run-tests/run-all.ts'
import type { FileOutcome } from './run-tests/run-file.ts'
import { withoutSecrets } from './run-tests/secrets.ts'
import { changedSince, type Picked, pickSince } from './run-tests/since.ts'
import { failuresInShort, logOf, summaryOf } from './run-tests/summary.ts'
import { countOf, noneOf, withFile } from './run-tests/totals.ts'

/** Those first that take long or wait much: at the end only short ones run, and no core is left without work. */
const folders = [
  'tools',
  'bench',
  'packages/*/test',
  'packages/servers/*/test',
  'packages/stores/*/test',
  'packages/stores/balanced',
  'packages/stores/chaos',
  'packages/servers/*/src',
  'packages/*/src',
]
const defaults = { fileSeconds: '900', wholeSeconds: '3600', log: 'node_modules/.cache/tests.log' }

const help = `Usage: node tools/run-tests.ts [options] [file or folder…]

Runs the test files of the repository, or those that are named.
  --half NAME        only the tests of "npm test" (quick) or of "npm run gate" (gate)
  --since REV        only the tests that the changes since a revision may affect; all of them where that cannot be told
  --alone            each file in a process of its own, also those that touch nothing of it
  --list             only says which files would run
  --file-seconds N   how long one file may take, ${defaults.fileSeconds}
  --whole-seconds N  how long all of them may take, ${defaults.wholeSeconds}
  --log FILE         where every line of the run is kept, ${defaults.log}
`

/** The test files at some paths, path by path, each in order; a path that leads to none is an error. */
export function testFilesAt(paths: readonly string[]): string[] {
  const found = paths.flatMap((path) => {
    const patterns = path.endsWith('.test.ts') ? [path] : [`${path}/**/*.test.ts`]
    const files = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**', '**/.cache/**'] })
    if (files.length === 0) throw new Error(`Cannot run the tests of "${path}": there are none`)
    return files.map((file) => file.replaceAll('\\', '/')).sort()
  })
  return [...new Set(found)]
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'file-seconds': { type: 'string', default: defaults.fileSeconds },
      'whole-seconds': { type: 'string', default: defaults.wholeSeconds },
      log: { type: 'string', default: defaults.log },
      half: { type: 'string' },
      since: { type: 'string' },
      alone: { type: 'boolean' },
      list: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(help)
  keepCompiled(process.env)
  const limits = {
    fileLimitMs: msOf('--file-seconds', values['file-seconds']),
    wholeLimitMs: msOf('--whole-seconds', values['whole-seconds']),
  }
  const { groups, told } = chosen(testFilesAt(positionals.length > 0 ? positionals : folders), values)
  const files = groups.flat()
  for (const line of told) console.log(line)
  if (values.list) return console.log(files.sort().join('\n'))
  // files of another folder start none of our programs
  using _programs = files.every((file) => isAbsolute(file)) ? undefined : await bundlePrograms()
  const outcomes = await runShown(groups, { ...limits, log: resolve(root, values.log) })
  const totals = outcomes.reduce(withFile, noneOf(files.length))
  for (const line of summaryOf(outcomes)) console.log(line)
  console.log(`all lines: ${values.log}`)
  console.log(countOf(totals))
  process.exitCode = totals.failed === 0 ? 0 : 1
}

interface Choice {
  readonly half?: string | undefined
  readonly since?: string | undefined
  readonly alone?: boolean | undefined
}

/** The files to run, those together that share a process, and why all of them run where that was not asked for. */
function chosen(tests: readonly string[], { half, since, alone }: Choice) {
  if (half !== undefined && half !== 'quick' && half !== 'gate')
    throw new Error(`Cannot run the half "${half}": there are "quick" and "gate"`)
  // the graph of all files takes seconds to read, and says nothing of one file that is named
  if (half === undefined && since === undefined && (alone || tests.length === 1))
    return { groups: tests.map((test) => [test]), told: [] }
  const files = readFiles('**/*.{ts,tsx,js,mjs,json,jsonc,md,txt,html,css,yaml,toml}')
  const uses = readUses(files)
  const halves = halvesOf(tests, files, uses)
  const inHalf = half ? tests.filter((test) => halves.get(test) === (half satisfies Half)) : tests
  const picked = since === undefined ? { files: inHalf } : pickSince(changedSince(since, root), inHalf, uses)
  const told = since === undefined ? [] : [whatRuns(picked, inHalf.length)]
  const sharing = alone ? new Map<string, string>() : shareable(picked.files, files, uses)
  return { groups: groupFiles(picked.files, sharing), told }
}

function whatRuns({ files, why }: Picked, all: number): string {
  return why === undefined
    ? `${files.length} of ${all} test files may be affected`
    : `all ${all} test files run: ${why}`
}

function msOf(option: string, seconds: string): number {
  if (Number(seconds) > 0) return Number(seconds) * 1000
  throw new Error(`Cannot use ${option} "${seconds}": a number of seconds above 0 is wanted`)
}

interface ShownOptions {
  readonly fileLimitMs: number
  readonly wholeLimitMs: number
  readonly log: string
}

async function runShown(
  groups: readonly (readonly string[])[],
  { log, ...limits }: ShownOptions,
): Promise<FileOutcome[]> {
  mkdirSync(dirname(log), { recursive: true })
  const lines = createWriteStream(log)
  const folder = mkdtempSync(join(tmpdir(), 'tests-'))
  const progress = new Progress(process.stdout)
  const outcomes: FileOutcome[] = []
  let totals = noneOf(groups.flat().length)
  const ticking = setInterval(() => progress.show(totals), 1000)
  try {
    await runAll(groups, {
      ...limits,
      folder,
      // one more than there are cores: a test that waits for a process or a clock leaves its core to others; with each
      // further one all of them take more processor time
      atOnce: Math.min(8, availableParallelism() + 1),
      signal: interrupted(),
      onBegin: (file) => progress.begin(file, totals),
      onEnd: (ended) => {
        const outcome = withoutSecrets(ended)
        outcomes.push(outcome)
        totals = withFile(totals, outcome)
        lines.write(`${logOf(outcome).join('\n')}\n`)
        for (const line of failuresInShort(outcome)) progress.say(line)
        progress.end(outcome.file, totals)
      },
    })
  } finally {
    clearInterval(ticking)
    rmSync(folder, { recursive: true })
    lines.end()
  }
  progress.done(totals)
  return outcomes
}

/** Aborts when this run is ended, to end the processes of all its files, which have groups of their own. */
function interrupted(): AbortSignal {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => stop.abort('it was interrupted'))
  return stop.signal
}

if (import.meta.main) await main().catch(fail)
