import { z } from 'zod'
import type { ActKind } from '../act/act.ts'
import { serverNameOf } from '../act/server-key.ts'
import type { Host } from '../assembly/host.ts'
import { explain } from '../policy/explain.ts'
import { outdatedRule } from '../policy/outdated-rule.ts'
import { isActKind } from '../policy/policy.ts'
import type { Rule } from '../policy/rule.ts'
import { type RuledServer, unmatchedRule } from '../policy/unmatched-rule.ts'
import { ApiError } from './api-error.ts'
import { knownKey } from './known-key.ts'
import { policyIn } from './project-policy.ts'
import { route } from './route.ts'
import * as s from './schemas.ts'
import { supposedAct } from './supposed-act.ts'
import { taintAnywhere } from './taint-routes.ts'

const effect = z.enum(['allow', 'ask', 'deny'])

/** Routes of the policy and its verdict on a call. */
export const policyRoutes = {
  policy: route({
    method: 'GET',
    path: '/api/policy',
    needs: 'nothing',
    says: 'The rules in force, strictest first',
    answer: z.object({ mode: z.enum(['enforce', 'observe']), rules: z.array(s.rule) }),
    async handle(_input, { host }, { directory }) {
      const { policy } = await policyIn(host, directory)
      const { mode, rules } = policy
      const servers = ruledServers(host)
      return {
        mode,
        rules: rules.map((rule) => ({ ...shownRule(rule), ...outdatedIn(rule, host), ...unmatchedIn(rule, servers) })),
      }
    },
  }),
  explainPolicy: route({
    method: 'POST',
    path: '/api/policy/explain',
    needs: 'nothing',
    says: 'What would become of a call, and why',
    body: z.strictObject({
      server: z.string(),
      tool: z.string(),
      arguments: z.record(z.string(), z.unknown()).optional(),
      client: z.string().optional(),
    }),
    answer: s.explanation,
    async handle({ server, tool, arguments: args = {}, client }, { host }, { directory }) {
      const { policy, root: project, keyOf } = await policyIn(host, directory)
      const entry = host.catalogue.find(keyOf(server) ?? knownKey(host, server), 'tool', tool)
      if (!entry) throw new ApiError(404, `There is no tool "${tool}" of server "${server}"`)
      const act = supposedAct(host, entry, {
        kind: 'call',
        serverKey: entry.server,
        target: tool,
        arguments: args,
        client,
        project,
      })
      const { verdict, considered, change } = explain(policy, act, taintAnywhere(act, host))
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
  }),
  testPolicy: route({
    method: 'POST',
    path: '/api/policy/test',
    needs: 'nothing',
    says: 'What the policy in force in a project says of some acts; nothing is done',
    body: z.strictObject({
      project: z.string().optional(),
      cases: z
        .array(
          z.strictObject({
            server: z.string(),
            target: z.string().describe('A tool, or @ and the kind of another act'),
            arguments: z.record(z.string(), z.unknown()).optional(),
            class: z.enum(['reads', 'writes', 'destroys', 'unknown']).optional(),
            client: z.string().optional(),
          }),
        )
        .max(10_000),
    }),
    answer: z.object({ verdicts: z.array(z.object({ effect, why: z.string(), rule: s.rule.optional() })) }),
    async handle({ cases, project }, { host }) {
      const { policy, root, keyOf } = await policyIn(host, project)
      const verdicts = cases.map(({ server, target, arguments: args = {}, class: told, client }) => {
        const kind = kindOf(target)
        const serverKey = keyOf(server) ?? knownKey(host, server)
        const entry = kind === 'call' ? host.catalogue.find(serverKey, 'tool', target) : undefined
        const named = kind === 'call' ? target : String(args.uri ?? args.name ?? '')
        const supposed = { kind, serverKey, target: named, arguments: args, class: told, client, project: root }
        const { effect, why, rule } = policy.judge(supposedAct(host, entry, supposed))
        return { effect, why, ...(rule !== 'default' && { rule: shownRule(rule) }) }
      })
      return { verdicts }
    },
  }),
}

/** Note on a rule that was written for an earlier meaning. */
function outdatedIn(rule: Rule, host: Host) {
  const outdated = outdatedRule(rule, host.catalogue.find(knownKey(host, rule.server), 'tool', rule.target)?.class)
  return outdated && { outdated }
}

/** Configured servers with their known tools, which rules are compared with. */
export function ruledServers({ specs, catalogue }: Host): readonly RuledServer[] {
  return specs.map(({ name }) => ({
    name: serverNameOf(name),
    tools: catalogue.entries(name).flatMap(({ kind, original }) => (kind === 'tool' ? [original] : [])),
  }))
}

/** Note on a rule that matches nothing. */
function unmatchedIn(rule: Rule, servers: readonly RuledServer[]) {
  const unmatched = unmatchedRule(rule, servers)
  return unmatched === undefined ? {} : { unmatched }
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
