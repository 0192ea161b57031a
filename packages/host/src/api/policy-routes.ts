import { z } from 'zod'
import type { Route } from './route.ts'
import * as s from './schemas.ts'

const effect = z.enum(['allow', 'ask', 'deny'])
const written = z.object({ effect, rule: z.unknown(), file: z.string() })

/** The addresses of the policy. */
export const policyRoutes = {
  policy: {
    method: 'GET',
    path: '/api/policy',
    needs: 'nothing',
    says: 'The rules in force, strictest first',
    answer: z.object({ mode: z.enum(['enforce', 'observe']), rules: z.array(s.rule) }),
  },
  explainPolicy: {
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
  },
  testPolicy: {
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
  },
  taint: {
    method: 'GET',
    path: '/api/taint',
    needs: 'nothing',
    says: 'Which servers clients have read from whose data must not leave unasked, and until when that counts',
    answer: z.object({
      mode: z.enum(['default', 'strict', 'off']),
      items: z.array(
        z.object({
          client: z.string(),
          project: z.string().optional(),
          server: z.string(),
          data: z.enum(['private', 'untrusted', 'unmarked']),
          at: z.number(),
          until: z.number(),
        }),
      ),
    }),
  },
  forgetTaint: {
    method: 'POST',
    path: '/api/taint/forget',
    needs: 'person',
    says: 'Lets what a client has read, or what all have read, count no more',
    body: z.strictObject({ client: z.string().optional() }),
    answer: z.object({ removed: z.number() }),
  },
  dryRunPolicy: {
    method: 'POST',
    path: '/api/policy/dry-run',
    needs: 'nothing',
    says: 'What would have been different with another policy, over the calls that were recorded',
    body: z.strictObject({
      text: z.string().optional().describe('Instead of the own file of the person'),
      rules: z.array(z.strictObject({ effect, rule: z.string() })).optional(),
      since: z.number().optional(),
    }),
    answer: z.object({
      calls: z.number().describe('Calls that were judged'),
      untold: z.number().describe('Calls whose arguments a rule asks for and nobody kept'),
      problems: z.array(s.configProblem),
      changes: z.array(
        z.object({
          server: z.string(),
          target: z.string(),
          principal: z.string(),
          from: effect,
          to: effect,
          why: z.string(),
          count: z.number(),
          example: z.object({ id: z.string(), at: z.number(), arguments: z.record(z.string(), z.unknown()) }),
        }),
      ),
    }),
  },
  suggestRules: {
    method: 'GET',
    path: '/api/policy/suggestions',
    needs: 'nothing',
    says: 'Rules that would have answered what a person always allowed in the last 30 days, as far as that is kept',
    answer: z.object({
      days: z.number(),
      items: z.array(
        z.object({
          rule: z.string(),
          server: z.string(),
          target: z.string(),
          answers: z.number(),
          principals: z.array(z.string()),
        }),
      ),
    }),
  },
  addRule: {
    method: 'POST',
    path: '/api/policy/rules',
    needs: 'person',
    says: 'Writes a rule to the own file of the person',
    body: z.strictObject({ effect, rule: z.string() }),
    answer: written,
  },
  replaceRule: {
    method: 'POST',
    path: '/api/policy/rules/replace',
    needs: 'person',
    says: 'Puts another rule in the place of one that is in force, or removes it from its file',
    body: z.strictObject({
      effect,
      rule: z.string().describe('As the list of rules shows it'),
      file: z.string(),
      instead: z.string().optional().describe('Without it the rule is removed'),
    }),
    answer: z.object({ effect, rule: z.string(), file: z.string(), instead: z.string().optional() }),
  },
  lastRule: {
    method: 'GET',
    path: '/api/policy/undo',
    needs: 'nothing',
    says: 'The rule that was written last, which can be taken out again',
    answer: written,
  },
  undoRule: {
    method: 'POST',
    path: '/api/policy/undo',
    needs: 'person',
    says: 'Takes the rule that was written last out of its file again',
    answer: written,
  },
  policyFile: {
    method: 'GET',
    path: '/api/policy/file',
    needs: 'nothing',
    says: 'The own file of the person, as it is written',
    answer: z.object({ file: z.string(), text: z.string(), digest: z.string() }),
  },
  savePolicyFile: {
    method: 'POST',
    path: '/api/policy/file',
    needs: 'person',
    says: 'Writes another policy to the own file of the person; the digest is of the text that was changed',
    body: z.strictObject({ text: z.string(), digest: z.string() }),
    answer: z.object({ file: z.string(), digest: z.string() }),
  },
} as const satisfies { readonly [name: string]: Route }
