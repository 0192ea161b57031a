/** Conversations and models as the API shows them. */
import { z } from 'zod'
import type { ChatRemark } from '../chat/event.ts'

const fields = z.record(z.string(), z.unknown())
const milliseconds = z.number().describe('As in Date.now()')
export const tokens = z.object({ input: z.number(), output: z.number() })

export const model = z.object({
  name: z.string(),
  provider: z.string(),
  model: z.string().describe('What the provider calls it'),
  isUsual: z.boolean(),
  contextTokens: z.number(),
})

export const spent = z.object({ requests: z.number(), tokens: z.number(), cost: z.number() })

export const conversation = z.object({
  id: z.string(),
  title: z.string(),
  model: z.string().optional(),
  madeAt: milliseconds,
  usedAt: milliseconds,
  tokens: z.number(),
  cost: z.number(),
  isAnswering: z.boolean(),
})

const personPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('resource'), uri: z.string(), contents: z.array(fields) }),
  z.object({
    type: z.literal('prompt'),
    name: z.string(),
    arguments: z.record(z.string(), z.string()).optional(),
    blocks: z.array(fields),
  }),
])

const modelPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool call'), id: z.string(), name: z.string(), arguments: fields }),
])

const stop = z.enum(['end', 'length', 'tool calls', 'stop sequence', 'filtered', 'other', 'stopped', 'failed'])

export const callResult = z.object({
  id: z.string(),
  name: z.string(),
  isError: z.boolean(),
  content: z.array(fields),
  from: z.string().optional().describe('Origin of the content, where the tool alone does not tell it'),
  structuredContent: z.unknown().optional(),
  ms: z.number().optional(),
})

export const underway = z.object({
  text: z.string().describe('What the model has said so far'),
  results: z.array(callResult),
  waiting: z.array(z.object({ id: z.string(), question: z.string() })).describe('Calls that wait for a person'),
})

/** Events that a person reads beside an answer. */
export const remarkShapes = {
  trimmed: { turns: z.number(), results: z.number(), rule: z.string() },
  'tools left out': {
    count: z.number(),
    servers: z.array(z.object({ server: z.string(), count: z.number() })).optional(),
  },
  'skills left out': { count: z.number() },
  end: { why: z.enum(['answered', 'length', 'filtered', 'stopped', 'steps']) },
} as const satisfies { readonly [Type in ChatRemark['type']]: z.ZodRawShape }

export const remark = z.discriminatedUnion('type', [
  z.object({ type: z.literal('trimmed'), ...remarkShapes.trimmed }),
  z.object({ type: z.literal('tools left out'), ...remarkShapes['tools left out'] }),
  z.object({ type: z.literal('skills left out'), ...remarkShapes['skills left out'] }),
  z.object({ type: z.literal('end'), ...remarkShapes.end }),
])

export const entry = z.discriminatedUnion('by', [
  z.object({ by: z.literal('person'), at: milliseconds, content: z.array(personPart) }),
  z.object({
    by: z.literal('model'),
    at: milliseconds,
    model: z.string(),
    content: z.array(modelPart),
    stop,
    tokens,
    cost: z.number(),
    failure: z.object({ code: z.string(), message: z.string() }).optional().describe('Why it broke off'),
  }),
  z.object({
    by: z.literal('tools'),
    at: milliseconds,
    results: z.array(callResult),
  }),
])

export const input = z.strictObject({
  text: z.string().max(1_000_000).optional(),
  attach: z.array(z.string()).max(20).optional().describe('Addresses of resources'),
  prompt: z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() }).optional(),
  from: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('The entry of the person that this is said instead of; it and all after it are deleted'),
})
