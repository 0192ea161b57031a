import type { Act } from '../act/act.ts'
import type { Refused } from '../act/refused.ts'
import type { Grants } from '../inbox/grants.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { RuleScope } from '../policy/always-rule.ts'
import type { Doing } from './doing.ts'

/** Dependencies of asking a person. */
export interface AskParts {
  readonly inbox: Inbox
  readonly grants: Grants
  /** The hash of the command or address that was accepted for a server. */
  commandOf(act: Act): string
  /** Changes whenever a rule does. */
  policyVersion(act: Act): string
  /** Makes a rule of "always", within the scope that the person chose; without it "always" holds for the session. */
  always?(act: Act, scope: RuleScope): Promise<void>
  /** Asks the server for a preview of a call, if it can give one. */
  preview?(doing: Doing): Promise<readonly string[] | undefined>
  /** Refusal for the caller on hosts without a person. */
  unattended?(act: Act): Refused
}

export interface AskOptions {
  /** Milliseconds a call is held for its answer where the caller cannot be asked itself. @default what its client allows, else 45_000 */
  readonly holdMs?: number
  /** Milliseconds that a server may take to tell what a call would do, before the person is asked without it. @default 3_000 */
  readonly previewMs?: number
  /** Milliseconds between reports of progress to a caller that is held. @default 10_000 */
  readonly progressMs?: number
  /** Milliseconds for which "for this session" holds, for callers with sessions. @default 8 hours */
  readonly sessionMs?: number
  /** Milliseconds for which it holds after each use, for callers without sessions. @default 1 hour */
  readonly slidingMs?: number
  /** Validity of "in this project" after each use, in milliseconds. @default 30 days */
  readonly projectMs?: number
}

/** Times that hold unless others are configured. */
export const askDefaults = {
  holdMs: 45_000,
  previewMs: 3_000,
  progressMs: 10_000,
  sessionMs: 8 * 3_600_000,
  slidingMs: 3_600_000,
  projectMs: 30 * 24 * 3_600_000,
} as const satisfies AskOptions
