import type { ActRow } from '../../host/acts.ts'
import type { StateSpan } from './state-spans.ts'

/** The time that is looked at, as in `Date.now()`. */
export interface TimeWindow {
  readonly from: number
  readonly to: number
}

/** Acts and states of one server. */
export interface ServerLanes {
  readonly server: string
  readonly acts: readonly ActRow[]
  readonly states: readonly StateSpan[]
}

/** Acts that are drawn; more could not be told apart. */
export const maxDrawn = 80

/** Lanes of a time window by server: acts, newest first, and states. */
export function lanesOf(
  rows: readonly ActRow[],
  states: readonly StateSpan[],
  window: TimeWindow,
): { readonly servers: readonly ServerLanes[]; readonly left: number } {
  const inside = rows.filter((row) => row.act !== undefined && isInside(row.at, row.to, window))
  const drawn = inside.slice(0, maxDrawn)
  const seen = states.filter(({ from, to }) => isInside(from, to, window))
  const names = [...new Set([...drawn, ...seen].map(({ server }) => server))].filter(Boolean).sort()
  const servers = names.map((server) => ({
    server,
    acts: drawn.filter((row) => row.server === server),
    states: seen.filter((span) => span.server === server),
  }))
  return { servers, left: inside.length - drawn.length }
}

/** Position of a time in a window, in percent of its width. */
export function placeIn(
  window: TimeWindow,
  from: number,
  to: number | undefined,
): { readonly left: string; readonly width: string } {
  const length = window.to - window.from
  const start = Math.max(0, ((from - window.from) / length) * 100)
  const end = Math.min(100, (((to ?? window.to) - window.from) / length) * 100)
  return { left: `${start}%`, width: `${Math.max(0, end - start)}%` }
}

function isInside(from: number, to: number | undefined, window: TimeWindow): boolean {
  return from <= window.to && (to ?? window.to) >= window.from
}
