import { usageFailure } from '../failure/failure.ts'

const unitMs: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A time in the past as people write it: `30m`, `12h`, `7d`, or a date. */
export function pastTime(option: string, written: string, now = Date.now()): number {
  const [, count, unit = ''] = /^(\d+)([mhd])$/.exec(written) ?? []
  const at = count === undefined ? Date.parse(written) : now - Number(count) * (unitMs[unit] ?? 0)
  if (!Number.isNaN(at)) return at
  throw usageFailure(`Cannot use "--${option}=${written}": write 30m, 12h, 7d, or a date such as 2026-11-15`)
}
