import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonFile } from '../project.ts'
import { readJunitReport } from './junit-report.ts'
import { nodeReporter, readNodeReport } from './node-report.ts'
import { spaced, type TestResult } from './test-report.ts'
import { readVitestReport } from './vitest-report.ts'

/** Names of the test runners that are known. */
export const runnerNames = ['node', 'vitest', 'pytest'] as const

/** One of {@link runnerNames}. */
export type RunnerName = (typeof runnerNames)[number]

/** Tests that are to run. */
export interface TestSelection {
  /** Paths from the folder of the project, each beginning with `./`. */
  readonly files: readonly string[]
  readonly name: string | undefined
  /** The file that the report is written to, for runners that do not write it to standard output. */
  readonly report: string
}

/** A test runner: how it is found and called, and how its report is read. */
export interface TestRunner {
  readonly name: RunnerName
  /** True if a project uses it. */
  isUsed(root: string): Promise<boolean>
  /** The words of its command that a person has to accept. */
  command(root: string): Promise<readonly string[]>
  /** The words that are added for a run. */
  arguments(selection: TestSelection): readonly string[]
  /** True for a line of its output that says that a test has ended. */
  isTestLine(line: string): boolean
  /** True if it writes its report to standard output. */
  readonly reportsToOutput: boolean
  read(report: string): readonly TestResult[]
}

const node: TestRunner = {
  name: 'node',
  isUsed: async (root) => {
    const { scripts } = (await jsonFile(root, 'package.json')) ?? {}
    const { test = '' } = (scripts ?? {}) as { test?: string }
    return test.includes('--test') || (test === '' && (await hasFile(root, /\.test\.[cm]?[jt]s$/)))
  },
  command: async () => ['node', '--test'],
  arguments: ({ files, name }) => [
    ...[`--test-reporter=${nodeReporter}`, '--test-reporter-destination=stdout'],
    ...(name === undefined ? [] : [`--test-name-pattern=${escaped(spaced(name))}`]),
    ...files,
  ],
  isTestLine: (line) => line.startsWith('{"name":'),
  reportsToOutput: true,
  read: readNodeReport,
}

const vitest: TestRunner = {
  name: 'vitest',
  isUsed: async (root) => {
    const { dependencies, devDependencies } = (await jsonFile(root, 'package.json')) ?? {}
    return 'vitest' in { ...(dependencies as object), ...(devDependencies as object) }
  },
  command: async (root) => [await local(root, 'node_modules/.bin/vitest', 'vitest'), 'run'],
  arguments: ({ files, name, report }) => [
    ...['--reporter=json', `--outputFile.json=${report}`, '--reporter=tap-flat', '--includeTaskLocation'],
    ...(name === undefined ? [] : [`--testNamePattern=${vitestPattern(name)}`]),
    ...files,
  ],
  isTestLine: (line) => /^(?:not )?ok \d/.test(line),
  reportsToOutput: false,
  read: readVitestReport,
}

const pytest: TestRunner = {
  name: 'pytest',
  isUsed: async (root) =>
    (await hasFile(root, /^(?:pytest\.ini|conftest\.py|test_.*\.py)$/)) ||
    (await hasFile(join(root, 'tests'), /^(?:conftest\.py|test_.*\.py)$/)),
  command: async (root) => [await local(root, '.venv/bin/pytest', 'pytest')],
  arguments: ({ files, name, report }) => [
    ...['-v', `--junitxml=${report}`, '-o', 'junit_family=xunit1'],
    ...(name === undefined ? [] : [`-k=${pytestKeywords(name)}`]),
    ...files,
  ],
  isTestLine: (line) => /\[ *\d+%\]$/.test(line),
  reportsToOutput: false,
  read: readJunitReport,
}

/** The test runners; the first that a project uses is taken. */
export const runners: readonly TestRunner[] = [vitest, node, pytest]

/** A text that stands for itself in a regular expression. */
function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** Versions of vitest differ in what separates the names of suites and tests. */
function vitestPattern(name: string): string {
  return escaped(spaced(name)).replaceAll(' ', '( | > )')
}

/** An expression of pytest for names that contain each word of a text; no word is an operator of it. */
function pytestKeywords(name: string): string {
  const words = name.match(/[\w:+\-.[\]\\/]+/g) ?? []
  return words.filter((word) => !/^(?:and|or|not|True|False|None)$/.test(word)).join(' and ') || name
}

async function local(root: string, path: string, otherwise: string): Promise<string> {
  return access(join(root, path)).then(
    () => `./${path}`,
    () => otherwise,
  )
}

async function hasFile(folder: string, pattern: RegExp): Promise<boolean> {
  const names = await readdir(folder).catch(() => [])
  return names.some((name) => pattern.test(name))
}
