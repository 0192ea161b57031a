import type { Interceptor } from '@trunkline/mcp'
import type { Act } from '../act/act.ts'
import type { ServerKey } from '../act/server-key.ts'
import { applyPolicy, unattended } from '../acts/apply-policy.ts'
import { askPerson } from '../acts/ask.ts'
import { type AskOptions, askDefaults } from '../acts/ask-parts.ts'
import type { ActHandler, Doing } from '../acts/doing.ts'
import { type KeepLargeParts, keepLarge } from '../acts/keep-large.ts'
import { leaveOut } from '../acts/leave-out.ts'
import { type ActLimits, type CountAct, limit } from '../acts/limit.ts'
import { noteSources } from '../acts/note-sources.ts'
import { Pins, pinned } from '../acts/pinned.ts'
import { hasPreview, previewOf } from '../acts/preview.ts'
import { record } from '../acts/record.ts'
import { isRepeatable, withRepeats } from '../acts/repeat.ts'
import { review } from '../acts/review.ts'
import { tellSandboxRefusals } from '../acts/tell-sandbox-refusals.ts'
import { askVersioned, verifySkill } from '../acts/verify-skill.ts'
import type { Grants } from '../inbox/grants.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { RecordLevel } from '../ledger/payloads.ts'
import type { RuleScope } from '../policy/always-rule.ts'
import type { Policy } from '../policy/policy.ts'
import type { Taints } from '../policy/taints.ts'
import type { CallsAtServer } from '../relay/calls-at-server.ts'
import { specDefaults } from '../servers/server-spec.ts'
import type { Upstream } from '../servers/upstream.ts'

/** Dependencies of the act stack. */
export interface ActStackParts extends KeepLargeParts {
  readonly inbox: Inbox
  readonly grants: Grants
  readonly ledger: Ledger
  readonly isUnattended: boolean
  readonly limits?: ActLimits
  /** Counts the acts of principals, and refuses those that come too fast. */
  readonly countAct: CountAct
  readonly taints: Taints
  readonly ask?: AskOptions
  policy(act: Act): Policy
  policyVersion(act: Act): string
  /** True if a tool stops as soon as its definition changes. */
  isStrict(act: Act): boolean
  commandOf(act: Act): string
  levelOf(server: ServerKey, project: string | undefined): RecordLevel
  always?(act: Act, scope: RuleScope): Promise<void>
  /** The server that does an act, or the copy of it that its caller has. */
  upstream(act: Act): Upstream
  /** The calls under way at a server. */
  callsAt(server: ServerKey): CallsAtServer
  /** Asks a server for its offers again. */
  relearn(server: ServerKey): void
}

/** The act stacks: for acts of servers, and for those that the host does itself. */
export interface ActStacks {
  readonly servers: ActHandler
  own(does: ActHandler): ActHandler
  /** Calls of an unknown tool; without a definition there is nothing to judge. */
  unknown(does: ActHandler): ActHandler
  /** A plan of calls: each of them is limited, so the plan that waits for them is not. */
  plan(does: ActHandler): ActHandler
  /** A call of a plan, whose result stays here; `beforeSent` is awaited before the first byte leaves. */
  step(beforeSent: () => Promise<void>): ActHandler
}

/**
 * The layers of every act, from the outside in: its sources are noted, a large result is kept, parts that a caller does not
 * want are left out, it is recorded, limited, pinned, judged (which may ask a person), its result reviewed, a skill verified,
 * and it is sent. Layers that only inspect are synchronous and may throw; `record` awaits them, which saves a promise per
 * layer.
 */
export function actStacks(parts: ActStackParts): ActStacks {
  const { inbox, grants, ledger, catalogue, limits, ask, always, isUnattended, taints } = parts
  const asked = askPerson(
    {
      inbox,
      grants,
      commandOf: parts.commandOf,
      policyVersion: parts.policyVersion,
      preview: async (doing) => {
        const { act, entry } = doing
        if (act.kind !== 'call' || !hasPreview(entry?.definition)) return undefined
        return previewOf(doing, parts.upstream(act), ask?.previewMs ?? askDefaults.previewMs)
      },
      ...(always && { always }),
      ...(isUnattended && { unattended: (act: Act) => unattended(parts.policy(act), act, taints.of(act)) }),
    },
    ask,
  )
  const person = askVersioned(asked)
  const recorded = record({ ledger, levelOf: parts.levelOf })
  const limited = limit(limits ?? {}, parts.countAct)
  const pins = new Pins(catalogue, parts.isStrict)
  const judging = { policy: parts.policy, taints, ask: person }
  const judged = applyPolicy(judging)
  const large = keepLarge(parts)
  const sources = noteSources(taints)
  const reviewed = review({ policy: parts.policy, inbox, isUnattended })
  const checked = [recorded, limited, pinned(pins), applyPolicy({ ...judging, pins }), reviewed, verifySkill(parts)]
  const sent = (doing: Doing) => {
    const { act, call, method, params, given } = doing
    const upstream = parts.upstream(act)
    const { callMs: maxMs = specDefaults.callMs } = upstream.spec
    const calls = parts.callsAt(upstream.name)
    const terms = given && { act, given }
    const run = () => upstream.run((client) => calls.send(client, call, { method, params, maxMs, terms }), call.signal)
    // a caller's own instance may ask while it starts, and then asks for the call that started it
    const work = upstream.spec.perCaller ? () => calls.whileStarting(call, run) : run
    const { refusals } = upstream
    const named = refusals ? () => tellSandboxRefusals(act.server, refusals, work) : work
    return isRepeatable(doing, upstream) ? withRepeats(doing, upstream, named) : named()
  }
  const servers = stacked([sources, large, leaveOut(), ...checked], sent)
  // a resource read again was recorded once, as far as its server permits
  const noted = record({ ledger, levelOf: (...of) => (parts.levelOf(...of) === 'off' ? 'off' : 'shape') })
  return {
    servers,
    own: (does) => stacked([noted, limited, judged], does),
    unknown: (does) => stacked([noted, limited], does),
    plan: (does) => stacked([large, noted, judged], does),
    step: (beforeSent) =>
      stacked([sources, ...checked], async (doing) => {
        await beforeSent()
        return sent(doing)
      }),
  }
}

/** Stacks layers so that the first is the outermost. */
function stacked(layers: readonly Interceptor<ActHandler>[], innermost: ActHandler): ActHandler {
  return layers.reduceRight((next, layer) => layer(next), innermost)
}
