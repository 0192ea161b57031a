import type { ActRow } from '../../host/acts.ts'

/** A day as a heading, or an act below it. */
export type DayItem = { readonly day: string } | { readonly row: ActRow }

/** Acts with a heading before the first one of each day. */
export function dayItems(rows: readonly ActRow[], now: number): readonly DayItem[] {
  const items: DayItem[] = []
  let last: number | undefined
  for (const row of rows) {
    const day = startOfDay(row.at)
    if (day !== last) items.push({ day: dayInWords(day, now) })
    last = day
    items.push({ row })
  }
  return items
}

/** The first moment of a day, in the time zone of the page. */
export function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}

const words = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' })

function dayInWords(day: number, now: number): string {
  const today = startOfDay(now)
  const year = new Date(day).getFullYear()
  const date = `${words.format(day)}${year === new Date(now).getFullYear() ? '' : ` ${year}`}`
  if (day === today) return `Today, ${date}`
  // a day before noon of today is yesterday, also where a clock was set
  return day === startOfDay(today - 12 * 3_600_000) ? `Yesterday, ${date}` : date
}
