const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'narrow' })

/** Time relative to now, in a word or two. */
export function relativeTime(at: number, now = Date.now()): string {
  const distance = at - now
  for (const [unit, ms] of units) {
    if (Math.abs(distance) >= ms) return relative.format(Math.trunc(distance / ms), unit)
  }
  const seconds = Math.trunc(distance / 1_000)
  return Math.abs(seconds) < 3 ? 'just now' : relative.format(seconds, 'second')
}

/** The time of day, to the second. */
export function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB')
}

/** A duration in words that fit a table; whole minutes and hours, as in `relativeTime`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  if (ms < 3_600_000) return `${Math.trunc(ms / 60_000)} min`
  return `${Math.trunc(ms / 3_600_000)} h`
}
