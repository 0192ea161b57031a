import { z } from 'zod'
import { fields, milliseconds } from './schemas.ts'

export const questionBackground = z.object({
  last: z
    .object({ at: milliseconds, arguments: fields })
    .optional()
    .describe('The last call of the same kind that ran'),
  rule: z
    .object({
      text: z.string(),
      client: z.string().describe('The client that it is for, unless the answer covers all clients'),
      file: z.string(),
      layer: z.enum(['user', 'local']),
      matches: z.number(),
      matchesOfAll: z.number().describe('The same for all clients'),
      exact: z
        .object({ text: z.string(), matches: z.number(), matchesOfAll: z.number() })
        .optional()
        .describe('The same rule for exactly these arguments; missing where none can say that, or it says so already'),
    })
    .optional()
    .describe('The rule that "always" makes, its file and layer, and how many calls of the last month it matches'),
  coverage: z
    .object({
      tools: z.array(z.string()).optional().describe('The tools of "writing-tools"'),
      clients: z.array(z.string()).optional().describe('The clients of "all-clients"'),
      project: z.string().optional().describe('The root that "project" is bound to'),
      seen: z.string().describe('A digest of these, with definitions and identities, to be sent with the answer'),
    })
    .optional()
    .describe('What an answer can cover besides the tool and the client; missing for what destroys'),
  definition: fields.optional().describe('The definition of the tool, as it was accepted'),
})

export const answer = z.strictObject({
  choice: z.enum(['once', 'session', 'project', 'always', 'refuse']),
  covers: z
    .array(z.enum(['writing-tools', 'all-clients']))
    .optional()
    .describe('What it covers besides; the tool and the client that it was asked for by default'),
  seen: z.string().optional().describe('With "covers": the digest of what the context of the question named'),
  rule: z
    .strictObject({
      isExact: z.boolean().optional().describe('Only for exactly these arguments'),
      until: milliseconds.optional().describe('The rule ends then; at least a minute and at most ten years from now'),
    })
    .optional()
    .describe('With "always": how far its rule goes; the tool, for ever, by default'),
  content: fields.optional().describe('Edited arguments, or a filled form'),
  sentence: z.string().max(2_000).optional().describe('A sentence for the caller'),
  door: z.enum(['terminal', 'console']),
})

export const grant = z.object({
  id: z.string(),
  choice: z.enum(['session', 'project', 'trust']),
  question: z.string().optional().describe('The question that was answered with it'),
  server: z.string(),
  tools: z.array(z.string()).describe('The tools that it covers, or "*" for all that do not destroy'),
  clients: z.array(z.string()),
  project: z.string().optional().describe('The root that it is bound to'),
  grantedAt: milliseconds,
  until: milliseconds.describe('When it ends; for "project" unless it is used until then'),
  says: z.string().describe('The same in words'),
})
