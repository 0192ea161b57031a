import { posix } from 'node:path'
import type { File } from '../lib/files.ts'
import { isTest } from '../lib/files.ts'
import { reachOf, type Uses } from '../lib/reach.ts'

/** Test files of one process at most: a file that hangs or exits ends the run of the others too. */
const mostInGroup = 20
/** The same for files that start programs and wait for them: side by side they take less time. */
const mostWaiting = 12

/** Modules that change or measure the engine as a whole. */
const wholeProcessModule =
  /from 'node:(?:worker_threads|cluster|v8|vm|inspector|diagnostics_channel|async_hooks|perf_hooks|dns)(?:\/\w+)?'|import \{[^}]*\bmock\b[^}]*\} from 'node:test'/

/**
 * Code that changes or measures the process itself: its settings, its signals, its memory, the engine, and globals. A
 * test context undoes its own mocks; the module-wide ones stay.
 */
const touchesProcess = [
  /\bprocess\.(?:chdir|exit|abort|on|once|off|emit|umask|memoryUsage|cpuUsage|resourceUsage|title|constrainedMemory)\b/,
  /\bprocess\.(?:env|argv|exitCode)\b(?:\.\w+|\[[^\]]*\])?\s*(?:\?\?|\|\|)?=[^=>]|\bdelete process\.env/,
  /\bglobalThis\.[\w.]+\s*(?:\?\?|\|\|)?=[^=>]|\((?:globalThis|\w+\.prototype)\b|\bglobal\.|\bgc\(|\bFinalizationRegistry\b|\bWeakRef\b/,
  /\bprototype\.\w+\s*=[^=>]|\bstackTraceLimit\b|\bsetFlagsFromString\b|\bsetDefault(?!Timeout\b)/,
]

/** A hook outside of a suite: it runs before or after the tests of every file of its process. */
const wholeFileHook = /^(?:before|after|beforeEach|afterEach)\(/m

/**
 * The test files that may share a process, each with those it may share one with: neither they nor the test code they use
 * touches the process. Files that use the same helper with a hook of its own, such as one that counts what is left at the
 * end, share among themselves.
 */
export function shareable(
  tests: readonly string[],
  files: readonly File[],
  { imports }: Uses,
): ReadonlyMap<string, string> {
  const code = files.filter(({ path }) => isTest(path))
  const beyond = new Set(code.filter(({ text }) => isBeyondItself(text)).map(({ path }) => path))
  const hooked = new Set(code.filter(({ text }) => wholeFileHook.test(text)).map(({ path }) => path))
  return new Map(
    tests.flatMap((test) => {
      const reached = [...reachOf(test, imports)]
      if (hooked.has(test) || reached.some((path) => beyond.has(path))) return []
      const hooks = reached.filter((path) => hooked.has(path))
      return [[test, hooks.sort().join(' ')] as const]
    }),
  )
}

function isBeyondItself(text: string): boolean {
  const code = codeThatIsImported(text)
  return wholeProcessModule.test(text) || touchesProcess.some((one) => one.test(code)) || handsFlagsDown(code)
}

/** Code that starts a copy of this process with the flags of this one, among them where it reports to. */
function handsFlagsDown(code: string): boolean {
  return /\bfork\(/.test(code) && !/\bexecArgv\b/.test(code)
}

/** The code without texts, which are programs for others, and without what a file does when it is a program itself. */
function codeThatIsImported(text: string): string {
  const [imported = ''] = text.split(/^if \(import\.meta\.main\)/m)
  return imported.replace(/`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
}

/** Joins test files that may share a process, folder by folder; the order of the rest stays. */
export function groupFiles(
  files: readonly string[],
  sharing: ReadonlyMap<string, string>,
): readonly (readonly string[])[] {
  const alone = files.filter((file) => !sharing.has(file)).map((file) => [file])
  const kinds = new Map<string, string[]>()
  for (const file of files.filter((file) => sharing.has(file))) {
    const kind = `${isUnit(file)} ${sharing.get(file)}`
    kinds.set(kind, [...(kinds.get(kind) ?? []), file])
  }
  const groups = [...kinds.values()].flatMap((kind) => inParts(kind.toSorted(byFolder)))
  const units = groups.filter((group) => group.every(isUnit))
  const waiting = groups.filter((group) => !units.includes(group))
  const [long, others] = [waiting.filter(takesLong), waiting.filter((group) => !takesLong(group))]
  // those that take longest begin first: at the end only short ones run, and no core is left without work
  return [...long, ...others, ...alone, ...units]
}

/** Says whether a group has pages of the console open, one after the other, or waits for a minute of faults. */
function takesLong(group: readonly string[]): boolean {
  return group.some((file) => /^packages\/(?:console\/test|stores\/chaos)\//.test(file))
}

/** A test that stands beside what it tests. */
function isUnit(file: string): boolean {
  return file.includes('/src/')
}

function inParts(files: readonly string[]): readonly (readonly string[])[] {
  const parts = Math.ceil(files.length / (files.every(isUnit) ? mostInGroup : mostWaiting))
  const size = Math.ceil(files.length / parts)
  return Array.from({ length: parts }, (_, at) => files.slice(at * size, (at + 1) * size))
}

function byFolder(one: string, other: string): number {
  return posix.dirname(one).localeCompare(posix.dirname(other)) || one.localeCompare(other)
}
