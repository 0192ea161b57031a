import { matchesGlob } from '@trunkline/base/glob'
import type { ActKind } from '../act/act.ts'
import type { RuleSource } from './rule.ts'
import { RuleError } from './rule-error.ts'

/** The kinds of acts that rules name as `@kind`; tools are named by their names. */
export const judgedKinds = [
  'read',
  'skill',
  'prompt',
  'complete',
  'list',
  'watch',
  'signal',
  'sample',
  'elicit',
] as const satisfies readonly ActKind[]

/** Kinds that no rule decides, with the fix. */
const decidedElsewhere: { readonly [Kind in Exclude<ActKind, (typeof judgedKinds)[number]>]: string } = {
  call: 'calls are named by their tool: write "server:tool", or "server:*" for all of them',
  start:
    'a server that a person accepted starts when it is needed: to keep it from that, write "disabled": true in its entry',
  accept: 'only a person accepts a server, with "trunkline accept" or in the inbox: remove the rule',
}

/** Refuses a pattern of kinds that no act can match, with the reason and the fix. */
export function refuseUnjudged(target: string, source: RuleSource): void {
  if (!target.startsWith('@') || judgedKinds.some((kind) => matchesGlob(target, `@${kind}`))) return
  const kind = target.slice(1)
  if (Object.hasOwn(decidedElsewhere, kind)) {
    const fix = decidedElsewhere[kind as keyof typeof decidedElsewhere]
    throw new RuleError(source, `no rule decides about "${target}", so it would never match; ${fix}`, {
      matchesNothing: true,
    })
  }
  const known = judgedKinds.map((one) => `@${one}`).join(', ')
  throw new RuleError(source, `there is no kind of act "${target}"; there are ${known}`)
}
