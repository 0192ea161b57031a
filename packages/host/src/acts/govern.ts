import type { Fields } from '@trunkline/mcp'
import type { Act } from '../act/act.ts'
import { withDeadline } from '../relay/terms/deadline.ts'
import type { Outcomes } from '../relay/terms/outcomes.ts'
import type { Upstream } from '../servers/upstream.ts'
import type { ActHandler, Doing } from './doing.ts'
import { isRepeatable } from './repeat.ts'

/** Dependencies of calls with terms. */
export interface GovernParts {
  readonly outcomes: Outcomes
  upstream(act: Act): Upstream
}

/** Holds a call to the terms of its caller: its deadline, and once for each key. */
export function govern({ outcomes, upstream }: GovernParts, doing: Doing, does: ActHandler): Promise<Fields> {
  const { act, call, given } = doing
  if (!given) return does(doing)
  const once = (): Promise<Fields> =>
    outcomes.run({
      act,
      given,
      isRepeatable: () => isRepeatable(doing, upstream(act)),
      run: () => does(doing),
    })
  const run = given.terms.idempotencyKey === undefined ? () => does(doing) : once
  return withDeadline({ tool: act.target, given, cancel: (reason) => call.cancel(reason), run })
}
