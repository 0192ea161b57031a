import type { RouteAnswer } from '@trunkline/host/page-api'
import { formatNumber } from '../../text/number.ts'
import { plural } from '../../text/plural.ts'

/** Number of recorded calls that would have ended otherwise, in a sentence; the list below it groups the same calls. */
export function trialInWords({
  calls,
  untold,
  changes,
}: Pick<RouteAnswer<'dryRunPolicy'>, 'calls' | 'untold' | 'changes'>): string {
  const changed = changes.reduce((sum, { count }) => sum + count, 0)
  const kept = untold > 0 ? ` Of ${formatNumber(untold)} nobody kept the arguments.` : ''
  const those = changed === 0 ? 'none' : formatNumber(changed)
  return `Of ${plural(calls, 'recorded call')}, ${those} would have ended otherwise.${kept}`
}
