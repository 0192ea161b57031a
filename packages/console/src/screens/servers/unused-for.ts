import { relativeTime } from '../../text/relative-time.ts'

const monthMs = 30 * 24 * 3_600_000

/** Time in which tools were not used, in words: a month, or since their server was accepted. */
export function unusedFor(acceptedAt: number | undefined, now = Date.now()): string {
  if (acceptedAt === undefined || now - acceptedAt >= monthMs) return 'not used in 30 days'
  return `not used since the server was accepted, ${relativeTime(acceptedAt, now)},`
}
