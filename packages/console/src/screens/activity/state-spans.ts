import type { RouteAnswer } from '@trunkline/host/page-api'

type StateChange = RouteAnswer<'timeline'>['states'][number]

/** A time in which a server was not there. */
export interface StateSpan {
  readonly server: string
  readonly state: string
  readonly why: string
  readonly from: number
  /** Missing while it lasts. */
  readonly to?: number
}

const told: ReadonlySet<string> = new Set(['starting', 'failing', 'stopped', 'needs you'])

/** Starts, failures and stops of servers, each until what came next. */
export function stateSpans(changes: readonly StateChange[]): readonly StateSpan[] {
  return changes.flatMap(({ server, state, why, at }, index) => {
    if (!told.has(state)) return []
    const next = changes.slice(index + 1).find((one) => one.server === server)
    return [{ server, state, why, from: at, ...(next && { to: next.at }) }]
  })
}
