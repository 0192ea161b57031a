import type { ActKind } from '../act/act.ts'
import { explain } from '../policy/explain.ts'
import { outdatedRule } from '../policy/outdated-rule.ts'
import { isActKind } from '../policy/policy.ts'
import type { Rule } from '../policy/rule.ts'
import { ApiError } from './api-error.ts'
import type { Handlers } from './handlers.ts'
import { knownKey } from './known-key.ts'
import type { ApiParts } from './parts.ts'
import { supposedAct } from './supposed-act.ts'
import { taintAnywhere } from './taint-handlers.ts'

/** Handlers of the policy and its verdict on a call. */
export function policyHandlers(parts: ApiParts): Pick<Handlers, 'policy' | 'explainPolicy' | 'testPolicy'> {
  return {
    async policy(_input, { directory }) {
      const { policy } = await parts.policyIn(directory)
      const { mode, rules } = policy
      return { mode, rules: rules.map((rule) => ({ ...shownRule(rule), ...outdatedIn(rule, parts) })) }
    },
    async explainPolicy({ server, tool, arguments: args = {}, client }, { directory }) {
      const { policy, root: project, keyOf } = await parts.policyIn(directory)
      const entry = parts.catalogue.find(keyOf(server) ?? knownKey(parts, server), 'tool', tool)
      if (!entry) throw new ApiError(404, `There is no tool "${tool}" of server "${server}"`)
      const act = supposedAct(parts, entry, {
        kind: 'call',
        serverKey: entry.server,
        target: tool,
        arguments: args,
        client,
        project,
      })
      const { verdict, considered, change } = explain(policy, act, taintAnywhere(act, parts))
      return {
        effect: verdict.effect,
        why: verdict.why,
        ...(verdict.rule !== 'default' && { rule: shownRule(verdict.rule) }),
        considered: considered.map(({ rule, unmet }) => ({
          ...shownRule(rule),
          ...(unmet !== undefined && { unmet }),
        })),
        change,
      }
    },
    async testPolicy({ cases, project }) {
      const { policy, root, keyOf } = await parts.policyIn(project)
      const verdicts = cases.map(({ server, target, arguments: args = {}, class: told, client }) => {
        const kind = kindOf(target)
        const serverKey = keyOf(server) ?? knownKey(parts, server)
        const entry = kind === 'call' ? parts.catalogue.find(serverKey, 'tool', target) : undefined
        const named = kind === 'call' ? target : String(args.uri ?? args.name ?? '')
        const supposed = { kind, serverKey, target: named, arguments: args, class: told, client, project: root }
        const { effect, why, rule } = policy.judge(supposedAct(parts, entry, supposed))
        return { effect, why, ...(rule !== 'default' && { rule: shownRule(rule) }) }
      })
      return { verdicts }
    },
  }
}

/** Note on a rule that was written for an earlier meaning. */
function outdatedIn(rule: Rule, parts: ApiParts) {
  const { catalogue } = parts
  const outdated = outdatedRule(rule, catalogue.find(knownKey(parts, rule.server), 'tool', rule.target)?.class)
  return outdated && { outdated }
}

/** The kind of an act that is named `server:@kind`, or of a tool. */
function kindOf(target: string): ActKind {
  const kind = target.startsWith('@') ? target.slice(1) : 'call'
  if (!isActKind(kind)) throw new ApiError(400, `Cannot judge "${target}": there is no such kind of acts`)
  return kind
}

function shownRule({ effect, text, source: { layer, file, line } }: Rule) {
  return { effect, text, layer, file, line }
}
