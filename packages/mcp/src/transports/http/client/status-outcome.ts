import type { Outcome } from '../../../wire/errors.ts'

// by these a request is turned away, or sent elsewhere, before anybody looks at what it asks for
const turnedAway: ReadonlySet<number> = new Set([307, 308, 401, 404, 405, 411, 413, 414, 415, 421, 426, 431])

// a proxy also answers so when the server behind it did the work and was too slow to say so, or too busy afterwards
const uncertain: ReadonlySet<number> = new Set([408, 429, 499])

/** What became of a call that was answered by this status and no protocol error; `docs/clients.md` has the table. */
export function statusOutcome(status: number): Outcome {
  if (turnedAway.has(status)) return 'NotSent'
  return status >= 400 && status < 500 && !uncertain.has(status) ? 'Rejected' : 'Unknown'
}
