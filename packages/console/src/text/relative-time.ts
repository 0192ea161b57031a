const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** Time relative to now, in a word or two and the units of `duration`: `5 min ago`. */
export function relativeTime(at: number, now = Date.now()): string {
  const distance = Math.abs(at - now)
  const [unit, ms] = units.find(([, one]) => distance >= one) ?? ['s', 1_000]
  if (distance < 3_000) return 'just now'
  const words = `${Math.trunc(distance / ms)} ${unit}`
  return at < now ? `${words} ago` : `in ${words}`
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
