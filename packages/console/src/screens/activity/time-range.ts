import { clockTime } from '../../text/relative-time.ts'
import { startOfDay } from './day-items.ts'

/** Times between which acts are shown; none while the list is live. */
export interface TimeRange {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Ranges that are picked with one choice. */
export const namedRanges = ['Last hour', 'Today', 'Yesterday', 'Last 7 days'] as const

export function namedRange(name: (typeof namedRanges)[number], now: number): TimeRange {
  const today = startOfDay(now)
  switch (name) {
    case 'Last hour':
      return { from: now - 3_600_000, to: now }
    case 'Today':
      return { from: today, to: now }
    case 'Yesterday':
      return { from: startOfDay(today - 12 * 3_600_000), to: today - 1 }
    case 'Last 7 days':
      return { from: now - 7 * 86_400_000, to: now }
  }
}

/** A time as the field of a date and a time has it, in the time zone of the page. */
export function fieldTime(at: number | undefined): string {
  if (at === undefined) return ''
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The time in such a field; undefined while it is not filled in. */
export function timeInField(text: string): number | undefined {
  const at = new Date(text).getTime()
  return Number.isNaN(at) ? undefined : at
}

/** A range in words, with days only where it is of another day or longer than one. */
export function rangeInWords(from: number, to: number, now: number): string {
  const isToday = startOfDay(from) === startOfDay(now) && startOfDay(to) === startOfDay(now)
  return `${shownTime(from, isToday)} to ${shownTime(to, isToday)}`
}

const dayWords = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

function shownTime(at: number, isToday: boolean): string {
  const time = clockTime(at).slice(0, 5)
  return isToday ? time : `${dayWords.format(at)} ${time}`
}
