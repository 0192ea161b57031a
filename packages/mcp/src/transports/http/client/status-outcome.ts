import type { Outcome } from '../../../wire/errors.ts'

// with these statuses a request was refused or redirected before it was handled
const turnedAway: ReadonlySet<number> = new Set([307, 308, 401, 404, 405, 411, 413, 414, 415, 421, 426, 431])

// a proxy also sends these after the server behind it has done the work
const uncertain: ReadonlySet<number> = new Set([408, 429, 499])

/** The outcome of a call that was answered with this status and no protocol error; see `docs/clients.md`. */
export function statusOutcome(status: number): Outcome {
  if (turnedAway.has(status)) return 'NotSent'
  return status >= 400 && status < 500 && !uncertain.has(status) ? 'Rejected' : 'Unknown'
}
