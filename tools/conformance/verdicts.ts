import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Result of one scenario: all its problems. */
export interface Verdict {
  readonly problems: readonly string[]
  /** The checks that passed. */
  readonly passed?: readonly string[]
  /** Reasons for checks that were left out. */
  readonly skipped?: readonly string[]
  /** Set where the client wrote to stderr. */
  readonly complained?: boolean
  /** Set where only a run of the scenario alone can tell. */
  readonly isUndecided?: boolean
}

/** The problem of a scenario that found nothing to check. */
export const nothingChecked = 'nothing was checked'

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly description: string
  readonly errorMessage?: string
}

/** Reads what the suite saved in a folder, by scenario. */
export function readVerdicts(folder: string): Map<string, Verdict> {
  const paths = globSync('**/checks.json', { cwd: folder })
  return new Map(paths.map((path) => [scenarioIn(path), readVerdict(join(folder, path))]))
}

function readVerdict(path: string): Verdict {
  const complaints = join(dirname(path), 'stderr.txt')
  const complained = existsSync(complaints) && readFileSync(complaints, 'utf8').trim() !== ''
  return { ...judge(readChecks(path)), ...(complained && { complained }) }
}

// a folder is named by the side, if that is the server, by the scenario and by the time
function scenarioIn(path: string): string {
  return dirname(path.replaceAll('\\', '/'))
    .replace(/^server-/, '')
    .replace(/-\d{4}-\d\d-\d\dT[\dZ-]+$/, '')
}

function readChecks(path: string): readonly Check[] {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** A warning is a problem too, and so is a scenario that found nothing to check. */
function judge(checks: readonly Check[]): Verdict {
  const bad = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
  const problems = bad.map(({ id, description, errorMessage }) => `${id}: ${errorMessage ?? description}`)
  const skipped = checks
    .filter(({ status }) => status === 'SKIPPED')
    .map((check) => check.errorMessage ?? check.description)
  const passed = checks.filter(({ status }) => status === 'SUCCESS').map(({ id }) => id)
  return { skipped, passed, problems: passed.length > 0 ? problems : [...problems, nothingChecked] }
}
