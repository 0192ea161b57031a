import type { FileOutcome } from './run-file.ts'

/** State of a run. */
export interface Totals {
  readonly files: number
  readonly ended: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** The totals before the first of some files ended. */
export function noneOf(files: number): Totals {
  return { files, ended: 0, passed: 0, failed: 0, skipped: 0 }
}

/** The totals with one more file; its own problem counts as a test that failed. */
export function withFile(totals: Totals, { records, problem }: FileOutcome): Totals {
  const tests = records.filter(({ kind }) => kind === 'test')
  const passed = tests.filter(({ outcome }) => outcome === 'passed').length
  const skipped = records.filter(({ outcome }) => outcome === 'skipped').length
  const failed = records.filter(({ kind, outcome, error }) => outcome === 'failed' && (kind === 'test' || error)).length
  return {
    files: totals.files,
    ended: totals.ended + 1,
    passed: totals.passed + passed,
    failed: totals.failed + failed + (problem === undefined ? 0 : 1),
    skipped: totals.skipped + skipped,
  }
}

/** The totals in words, as the last line of a run has them. */
export function countOf({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}
