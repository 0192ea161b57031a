import { relative } from 'node:path'
import { root } from '../lib/files.ts'
import type { TestRecord } from './records.ts'
import type { FileOutcome } from './run-file.ts'

const mostNamed = 5
const mostLines = 200
const mostClosing = 30

/**
 * All that is worth reading of a run: what was skipped and why, what took long, every failure in full, and at the end each
 * failure in short, because of a long run only the last lines may be at hand.
 */
export function summaryOf(outcomes: readonly FileOutcome[]): string[] {
  return [
    ...skipsOf(outcomes),
    ...slowestOf(outcomes),
    ...outcomes.flatMap(failuresOf),
    ...outcomes.flatMap(failuresInShort),
  ]
}

/** The lines of one file for the log: each test, and all that was written. */
export function logOf({ file, records, problem, output, ms, cpuMs }: FileOutcome): string[] {
  return [
    `${file} (${secondsOf(ms)}, processor ${secondsOf(cpuMs)})${problem === undefined ? '' : `: FAIL ${problem}`}`,
    ...records.map(
      (record) =>
        `  ${record.outcome} ${nameOf(record)} (${record.ms.toFixed(1)} ms)${record.reason === undefined ? '' : `: ${record.reason}`}`,
    ),
    ...records.flatMap(({ error }) => (error === undefined ? [] : indented(error))),
    ...indented(output),
  ]
}

/** Output of a failed file, and those of its errors that are too long for the closing lines. */
function failuresOf(outcome: FileOutcome): string[] {
  const { file, records, output } = outcome
  if (!hasFailed(outcome)) return []
  const failures = ownFailures(records).map((record) => failureOf(file, record))
  const written = output.trimEnd().split('\n').slice(-mostLines)
  return [
    ...failures.filter((lines) => lines.length > mostClosing).flat(),
    ...(written.join('') === '' ? [] : [`${file} wrote:`, ...written.map((line) => `    ${line}`)]),
  ]
}

/**
 * Each failure with the first lines of its error; of a file that failed as a whole, the last lines that it wrote. Said at
 * once too, because a run may be ended before its summary.
 */
export function failuresInShort({ file, records, problem, output }: FileOutcome): string[] {
  const failures = ownFailures(records).flatMap((record) => {
    const lines = failureOf(file, record)
    const more = lines.length - mostClosing
    return more > 0 ? [...lines.slice(0, mostClosing), `    and ${more} more lines above`] : lines
  })
  if (problem === undefined) return failures
  const said = output.trimEnd().split('\n').slice(-mostClosing)
  return [...failures, '', `FAIL ${file}: ${problem}`, ...(output.trim() === '' ? [] : indented(said.join('\n')))]
}

function failureOf(file: string, record: TestRecord): string[] {
  return ['', `FAIL ${file} › ${nameOf(record)}`, `  at ${placeOf(record)}`, ...indented(record.error ?? '')]
}

function hasFailed({ records, problem }: FileOutcome): boolean {
  return problem !== undefined || ownFailures(records).length > 0
}

function skipsOf(outcomes: readonly FileOutcome[]): string[] {
  const byReason = new Map<string, string[]>()
  for (const { file, records } of outcomes)
    for (const record of records) {
      if (record.reason === undefined) continue
      const names = byReason.get(record.reason) ?? []
      byReason.set(record.reason, [...names, `${file} › ${nameOf(record)}`])
    }
  return [...byReason].flatMap(([reason, names]) => [
    `SKIPPED ${names.length}: ${reason}`,
    ...names.slice(0, mostNamed).map((name) => `  ${name}`),
    ...(names.length > mostNamed ? [`  and ${names.length - mostNamed} more`] : []),
  ])
}

function slowestOf(outcomes: readonly FileOutcome[]): string[] {
  const slowest = outcomes.toSorted((one, other) => other.ms - one.ms).slice(0, mostNamed)
  const cpuMs = outcomes.reduce((sum, outcome) => sum + outcome.cpuMs, 0)
  return [
    `slowest: ${slowest.map(({ file, ms }) => `${file} ${secondsOf(ms)}`).join(', ')}`,
    `processor time: ${secondsOf(cpuMs)}`,
  ]
}

function ownFailures(records: readonly TestRecord[]): TestRecord[] {
  return records.filter(({ error }) => error !== undefined)
}

function nameOf({ path }: TestRecord): string {
  return path.join(' › ')
}

function placeOf({ at = 'an unknown place' }: TestRecord): string {
  return at.startsWith(root) ? relative(root, at) : at
}

function indented(text: string): string[] {
  return text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => `    ${line}`)
}

function secondsOf(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
