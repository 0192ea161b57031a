import { type File, isTest } from '../lib/files.ts'
import { reachOf, type Uses } from '../lib/reach.ts'

/**
 * `npm test` runs the quick half, `npm run gate` the other one; every test file is in one of the two. Those that only
 * Windows can run are in the quick half there; elsewhere the step `windows` of the gate runs them.
 */
export type Half = 'quick' | 'gate'

/** Needs of tests, see lib/needs.ts, that a machine with Node and git may lack: what has one is in the gate. */
const gateNeeds = /\blacking\(\s*'(?:beside|browser|files|namespaces|postgres|pytest|redis|shells|systemd|tmux)'/

/** Needs of tests that only Windows meets. */
const windowsNeeds = /\blacking\(\s*'windows'/

/** Test code that starts the command, which the gate has built: built, it starts in half the time. */
const startsCommand = 'packages/cli/test/command-path.ts'

/**
 * Test files that need nothing special and take long: they start the command, whole hosts with their servers, processes
 * that are killed, crowds and floods, or peers. Tests that stand beside what they test are never among them.
 */
const longFiles: readonly RegExp[] = [
  /^packages\/(?:cli|console|host)\/test\//,
  /^packages\/mcp\/test\/(?:challenges|cluster|durability|interop|threats)\//,
  /^packages\/servers\/(?:code|git|github)\/test\//,
  /^tools\/conformance\.test\.ts$/,
  /^packages\/stores\/chaos\/run\.test\.ts$/,
]

/** Half of each test file: by the needs of it and of the test code that it uses, and by its duration. */
export function halvesOf(
  tests: readonly string[],
  files: readonly File[],
  { imports }: Uses,
  platform: string = process.platform,
): ReadonlyMap<string, Half | 'elsewhere'> {
  const needy = new Set(files.filter(({ path, text }) => isTest(path) && gateNeeds.test(text)).map(({ path }) => path))
  needy.add(startsCommand)
  const forWindows = new Set(
    files.filter(({ path, text }) => isTest(path) && windowsNeeds.test(text)).map(({ path }) => path),
  )
  const isInGate = (test: string) =>
    longFiles.some((long) => long.test(test)) || [...reachOf(test, imports)].some((path) => needy.has(path))
  const halfOf = (test: string): Half | 'elsewhere' => {
    if ([...reachOf(test, imports)].some((path) => forWindows.has(path)))
      return platform === 'win32' ? 'quick' : 'elsewhere'
    return isInGate(test) ? 'gate' : 'quick'
  }
  return new Map(tests.map((test) => [test, halfOf(test)]))
}
