/** Schemas of the host's events: the documentation of its event stream. */
import { z } from 'zod'
import type { ChatEvent } from '../chat/event.ts'
import * as chat from './chat-schemas.ts'
import type { HostEvent } from './events.ts'
import * as s from './schemas.ts'

const fields = z.record(z.string(), z.unknown())

/** Events of conversations; a missing kind of event does not compile. */
const chatShapes = {
  text: { text: z.string() },
  call: { id: z.string(), name: z.string(), arguments: fields },
  waiting: { id: z.string(), name: z.string(), question: z.string() },
  result: { ...chat.callResult.shape, ms: z.number() },
  ...chat.remarkShapes,
  tokens: { model: z.string(), tokens: chat.tokens, cost: z.number() },
  failed: { code: z.string(), message: z.string() },
} as const satisfies { readonly [Type in ChatEvent['type']]: z.ZodRawShape }

const chatEvent = z.union(
  Object.entries(chatShapes).map(([type, shape]) => z.strictObject({ type: z.literal(type), ...shape })),
)

const shapes = {
  server: { name: z.string(), state: z.string(), why: z.string() },
  log: { server: z.string(), lines: z.array(s.logLine), dropped: z.number().optional() },
  question: { question: s.question },
  'question changed': { question: s.question },
  withdrawn: { id: z.string(), by: z.string() },
  line: { line: s.ledgerLine },
  catalogue: { server: z.string() },
  config: { problems: z.number() },
  progress: { run: z.string(), progress: z.number(), total: z.number().optional(), message: z.string().optional() },
  task: {
    server: z.string(),
    task: z.string(),
    status: s.taskState.shape.status,
    message: z.string().optional(),
  },
  resource: { server: z.string(), uri: z.string() },
  chat: { conversation: z.string(), number: z.number(), chat: chatEvent },
  'chat entry': { conversation: z.string(), number: z.number(), index: z.number(), entry: chat.entry },
  chats: {},
  missed: { count: z.number().describe('Events that this listener did not read in time') },
} as const satisfies { readonly [Event in HostEvent['event']]: z.ZodRawShape }

/** One event of the stream. */
export const hostEvent = z.union(
  Object.entries(shapes).map(([event, shape]) => z.strictObject({ event: z.literal(event), ...shape })),
)
