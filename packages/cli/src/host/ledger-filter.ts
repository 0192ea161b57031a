import type { RouteAnswer, RouteInput } from '@trunkline/host/api'
import { usageFailure } from '../failure/failure.ts'

type LedgerLine = RouteAnswer<'ledger'>['items'][number]
type LedgerFilter = RouteInput<'ledger'>

/** The options by which lines of the ledger are chosen. */
export interface LedgerOptions {
  readonly server?: string | undefined
  readonly tool?: string | undefined
  readonly client?: string | undefined
  readonly kind?: string | undefined
  readonly outcome?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly most?: string | undefined
  readonly search?: string | undefined
}

/** The options as the host takes them. */
export function ledgerFilter(options: LedgerOptions): LedgerFilter {
  const { server, tool, client, kind, outcome, since, until, most, search } = options
  return {
    search,
    server,
    target: tool,
    principal: client,
    outcome,
    kind: kind as LedgerLine['line']['kind'] | undefined,
    ...(since !== undefined && { since: pastTime('since', since) }),
    ...(until !== undefined && { until: pastTime('until', until) }),
    ...(most !== undefined && { most: mostOf(most) }),
  }
}

/** True if a later line matches the filter. */
export function isWanted({ line }: LedgerLine, filter: LedgerFilter): boolean {
  const chosen = ['server', 'target', 'principal', 'outcome', 'kind'] as const
  return chosen.every((key) => filter[key] === undefined || filter[key] === line[key])
}

function mostOf(written: string): number {
  const most = Number(written)
  if (Number.isInteger(most) && most >= 1 && most <= 1_000) return most
  throw usageFailure(`Cannot use "--most=${written}": it takes a number from 1 to 1000`)
}

const unitMs: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A time in the past as people write it: `30m`, `12h`, `7d`, or a date. */
function pastTime(option: string, written: string, now = Date.now()): number {
  const [, count, unit = ''] = /^(\d+)([mhd])$/.exec(written) ?? []
  const at = count === undefined ? Date.parse(written) : now - Number(count) * (unitMs[unit] ?? 0)
  if (!Number.isNaN(at)) return at
  throw usageFailure(`Cannot use "--${option}=${written}": write 30m, 12h, 7d, or a date such as 2026-11-15`)
}
