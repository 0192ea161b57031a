/**
 * Fails when a row of `docs/challenges.md` has no test in `packages/x/test/challenges`, when a test there has no row, or when
 * a row does not link to its tests. `--update` writes the links.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type File, readFiles, root } from './lib/files.ts'
import { type Problem, report } from './lib/problem.ts'

const guide = 'docs/challenges.md'
const tests = 'packages/*/test/challenges/*.test.ts'

/** The numbers of all challenges. */
const challenges = Array.from({ length: 33 }, (_, at) => at + 1)

/** A row of the table: number, challenge, answer, guide, tests. */
interface Row {
  readonly number: number
  readonly line: number
  readonly cells: readonly string[]
}

/** Compares the table with the names of the tests, both ways. */
export function checkChallenges({ path, text }: File, paths: readonly string[]): Problem[] {
  const rows = rowsOf(text)
  const numbers = rows.map(({ number }) => number)
  return [
    ...challenges
      .filter((number) => numbers.filter((each) => each === number).length !== 1)
      .map((number) => ({ path, message: `Challenge ${number} must have one row` })),
    ...rows.flatMap((row) => problemsOf(row, path, paths)),
    ...paths
      .filter((test) => !numbers.includes(numberOf(test) ?? 0))
      .map((test) => ({ path: test, message: `No row of ${guide} has the number that this test begins with` })),
  ]
}

function problemsOf({ number, line, cells }: Row, path: string, paths: readonly string[]): Problem[] {
  const own = paths.filter((test) => numberOf(test) === number)
  const [, , , guides = '', links = ''] = cells
  return [
    ...(own.length > 0 ? [] : [{ path, line, message: `No test begins with the number of challenge ${number}` }]),
    ...(guides.includes('](') ? [] : [{ path, line, message: `Challenge ${number} links to no guide` }]),
    ...(own.length === 0 || links === linksTo(own)
      ? []
      : [{ path, line, message: `The tests of challenge ${number} are others: run this check with --update` }]),
  ]
}

/** The page with the links to the tests that there are. */
export function withLinks(text: string, paths: readonly string[]): string {
  return text
    .split('\n')
    .map((line, at) => {
      const row = rowAt(line, at)
      if (!row) return line
      const own = paths.filter((test) => numberOf(test) === row.number)
      return `| ${[...row.cells.slice(0, 4), linksTo(own)].join(' | ')} |`
    })
    .join('\n')
}

function rowsOf(text: string): readonly Row[] {
  return text.split('\n').flatMap((line, at) => rowAt(line, at) ?? [])
}

function rowAt(line: string, at: number): Row | undefined {
  const cells = line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
  return /^\d+$/.test(cells[0] ?? '') ? { number: Number(cells[0]), line: at + 1, cells } : undefined
}

function numberOf(test: string): number | undefined {
  const [, number] = test.match(/\/(\d\d)-[^/]+\.test\.ts$/) ?? []
  return number === undefined ? undefined : Number(number)
}

function linksTo(paths: readonly string[]): string {
  return paths.map((path) => `[${path.split('/')[1]}](../${path})`).join(', ')
}

if (import.meta.main) {
  const [page = { path: guide, text: '' }] = readFiles(guide)
  const paths = readFiles(tests).map(({ path }) => path)
  const updated = process.argv.includes('--update') ? withLinks(page.text, paths) : page.text
  if (updated !== page.text) writeFileSync(join(root, guide), updated)
  report(
    checkChallenges({ ...page, text: updated }, paths),
    `${challenges.length} challenges, shown by ${paths.length} files of tests`,
  )
}
