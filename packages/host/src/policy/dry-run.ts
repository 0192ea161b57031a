import type { Act } from '../act/act.ts'
import type { ServerName } from '../act/server-name.ts'
import type { Policy } from './policy.ts'
import type { Effect } from './rule.ts'
import { concerns, ruleSubject } from './rule-subject.ts'

/** A call that was made; without its arguments where those were not kept in full. */
export interface RecordedCall {
  readonly act: Act
  readonly hasArguments: boolean
}

/** Verdict of another policy on some calls, all of the same tool and client. */
export interface DryRunChange {
  readonly server: ServerName
  readonly target: string
  readonly principal: string
  readonly from: Effect
  readonly to: Effect
  /** Reason of the other policy, for the newest of them. */
  readonly why: string
  readonly count: number
  /** The newest of them. */
  readonly example: Pick<Act, 'id' | 'at' | 'arguments'>
}

/** Differences that another policy would have made. */
export interface DryRun {
  /** Number of calls judged. */
  readonly calls: number
  /** Number of calls not judged, because a rule asks for arguments that were not kept. */
  readonly untold: number
  readonly changes: readonly DryRunChange[]
}

/** Judges calls that were made, newest first, by the policy in force and by another one. */
export function dryRun(calls: readonly RecordedCall[], policies: { before: Policy; after: Policy }): DryRun {
  const { before, after } = policies
  const changes = new Map<string, DryRunChange>()
  let untold = 0
  for (const { act, hasArguments } of calls) {
    if (!hasArguments && (needsArguments(before, act) || needsArguments(after, act))) {
      untold += 1
      continue
    }
    const from = before.judge(act).effect
    const { effect: to, why } = after.judge(act)
    if (from === to) continue
    const { server, target, principal } = act
    const key = JSON.stringify([server, target, principal.name, from, to])
    const known = changes.get(key)
    const first = { server, target, principal: principal.name, from, to, why, example: exampleOf(act) }
    changes.set(key, { ...(known ?? first), count: (known?.count ?? 0) + 1 })
  }
  return { calls: calls.length - untold, untold, changes: [...changes.values()] }
}

function needsArguments(policy: Policy, act: Act): boolean {
  const subject = ruleSubject(act)
  return policy.rules.some((rule) => rule.conditions.length > 0 && concerns(rule, subject))
}

function exampleOf({ id, at, arguments: args }: Act): DryRunChange['example'] {
  return { id, at, arguments: args }
}
