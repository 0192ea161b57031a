import { posix } from 'node:path'
import type { File } from '../lib/files.ts'
import { isTest } from '../lib/files.ts'
import { reachOf, type Uses } from '../lib/reach.ts'

/** Test files of one process at most: a file that hangs or exits ends the run of the others too. */
const mostInGroup = 25

/**
 * Code that changes or measures the process itself: its settings, its signals, its memory, the engine, and globals. A
 * test context undoes its own mocks; the module-wide ones stay.
 */
const touchesProcess = [
  /node:(?:worker_threads|cluster|v8|vm|inspector|diagnostics_channel|async_hooks|perf_hooks|dns)\b/,
  /\bprocess\.(?:chdir|exit|abort|on|once|off|emit|umask|memoryUsage|cpuUsage|resourceUsage|title|constrainedMemory)\b/,
  /\bprocess\.(?:env|argv|exitCode)\b(?:\.\w+|\[[^\]]*\])?\s*(?:\?\?|\|\|)?=[^=>]|\bdelete process\.env/,
  /\bglobalThis\b|\bglobal\.|\bgc\(|import \{[^}]*\bmock\b[^}]*\} from 'node:test'|\bFinalizationRegistry\b|\bWeakRef\b/,
  // a hook outside of a suite would run for the tests of every file
  /^(?:before|after|beforeEach|afterEach)\(/m,
  /\.prototype\b|\bstackTraceLimit\b|\bsetFlagsFromString\b|\bsetDefault/,
]

/** The test files that may share a process: neither they nor the test code they use touches it. */
export function shareable(tests: readonly string[], files: readonly File[], { imports }: Uses): ReadonlySet<string> {
  const beyond = new Set(
    files
      .filter(({ path, text }) => isTest(path) && touchesProcess.some((one) => one.test(text)))
      .map(({ path }) => path),
  )
  return new Set(tests.filter((test) => [...reachOf(test, imports)].every((path) => !beyond.has(path))))
}

/** Joins test files that may share a process, folder by folder; the order of the rest stays. */
export function groupFiles(files: readonly string[], mayShare: ReadonlySet<string>): readonly (readonly string[])[] {
  const alone = files.filter((file) => !mayShare.has(file)).map((file) => [file])
  const shared = files.filter((file) => mayShare.has(file)).toSorted(byFolder)
  const groups = Array.from({ length: Math.ceil(shared.length / mostInGroup) }, (_, at) =>
    shared.slice(at * mostInGroup, (at + 1) * mostInGroup),
  )
  // those that run alone begin first: they take longest and wait much
  return [...alone, ...groups]
}

function byFolder(one: string, other: string): number {
  return posix.dirname(one).localeCompare(posix.dirname(other)) || one.localeCompare(other)
}
