import type { Act, Principal } from '../acts/act.ts'
import { newActId } from '../acts/act-id.ts'
import { effectsOf } from '../catalogue/effects.ts'
import { explain } from '../policy/explain.ts'
import type { Rule } from '../policy/rule.ts'
import { serverNameOf } from '../servers/server-key.ts'
import { ApiError } from './api-error.ts'
import type { Handlers } from './handlers.ts'
import { knownKey } from './known-key.ts'
import type { ApiParts } from './parts.ts'
import { taintAnywhere } from './taint-handlers.ts'

/** The policy, and what it would say of a call. */
export function policyHandlers(parts: ApiParts): Pick<Handlers, 'policy' | 'explainPolicy'> {
  return {
    policy: () => {
      const { mode, rules } = parts.policy()
      return { mode, rules: rules.map(shownRule) }
    },
    explainPolicy: ({ server, tool, arguments: args = {}, client = 'somebody' }) => {
      const entry = parts.catalogue.find(knownKey(parts, server), 'tool', tool)
      if (!entry) throw new ApiError(404, `There is no tool "${tool}" of server "${server}"`)
      const act: Act = {
        id: newActId(),
        kind: 'call',
        principal: parts.principals.all().find(({ name }) => name === client) ?? unknownClient(client),
        project: undefined,
        server: serverNameOf(entry.server),
        serverKey: entry.server,
        target: tool,
        arguments: args,
        definition: entry.hash,
        class: entry.class,
        effects: effectsOf(entry.definition),
        trace: '',
        at: Date.now(),
      }
      const { verdict, considered, change } = explain(parts.policy(), act, taintAnywhere(act, parts))
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
  }
}

function unknownClient(name: string): Principal {
  return { id: name, name, isApprover: false }
}

function shownRule({ effect, text, source: { layer, file, line } }: Rule) {
  return { effect, text, layer, file, line }
}
