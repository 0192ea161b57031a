import { z } from 'zod'
import * as s from './chat-schemas.ts'
import type { Route } from './route.ts'

const done = z.object({ done: z.literal(true) })

/** The language models, and conversations with them, whose events come as `chat` events. */
export const chatRoutes = {
  models: {
    method: 'GET',
    path: '/api/models',
    needs: 'nothing',
    says: 'The language models, what they were used for in a day, and why there is none',
    answer: z.object({ items: z.array(s.model), problem: z.string().optional(), today: s.spent }),
  },
  chats: {
    method: 'GET',
    path: '/api/chats',
    needs: 'nothing',
    says: 'Saved conversations, the one last used first',
    answer: z.object({ items: z.array(s.conversation) }),
  },
  startChat: {
    method: 'POST',
    path: '/api/chats',
    needs: 'person',
    says: 'Begins a conversation',
    body: z.strictObject({ model: z.string().optional() }),
    answer: z.object({ id: z.string() }),
  },
  chat: {
    method: 'GET',
    path: '/api/chats/{id}',
    needs: 'nothing',
    says: 'A conversation with all that was said',
    answer: s.conversation.extend({
      entries: z.array(s.entry),
      underway: s.underway.optional().describe('What happened since the last entry, while the model answers'),
      number: z.number().describe('Events with a greater number are news'),
    }),
  },
  changeChat: {
    method: 'PATCH',
    path: '/api/chats/{id}',
    needs: 'person',
    says: 'Gives a conversation another title',
    body: z.strictObject({ title: z.string().max(1_000) }),
    answer: done,
  },
  sendChat: {
    method: 'POST',
    path: '/api/chats/{id}/messages',
    needs: 'person',
    says: 'Says something; the answer comes as events',
    body: s.input,
    answer: done,
  },
  stopChat: {
    method: 'POST',
    path: '/api/chats/{id}/stop',
    needs: 'nothing',
    says: 'Stops the answer and its calls',
    answer: done,
  },
  deleteChat: {
    method: 'DELETE',
    path: '/api/chats/{id}',
    needs: 'person',
    says: 'Deletes a conversation',
    answer: done,
  },
  completeChat: {
    method: 'POST',
    path: '/api/chat-completions',
    needs: 'nothing',
    says: 'What the last word of a line may become: prompts, their arguments, resources',
    body: z.strictObject({ text: z.string().max(100_000) }),
    answer: z.object({
      word: z.string(),
      candidates: z.array(z.string()),
      about: z.array(z.string()).describe('What each of them is'),
    }),
  },
} as const satisfies { readonly [name: string]: Route }
