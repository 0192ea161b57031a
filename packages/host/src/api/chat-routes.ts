import { z } from 'zod'
import type { Chats } from '../chat/chats.ts'
import { ConversationError, type ConversationSummary } from '../chat/conversations.ts'
import { ModelError } from '../model/model-error.ts'
import type { Models } from '../model/models.ts'
import { ApiError } from './api-error.ts'
import * as c from './chat-schemas.ts'
import { done, route } from './route.ts'
import * as s from './schemas.ts'

const dayMs = 86_400_000
const statuses = { Unknown: 404, Full: 409, Busy: 409, Invalid: 400 } as const

interface Now {
  readonly number: number
  readonly underway?: z.output<typeof c.underway>
  readonly remarks: z.output<typeof c.remark>[]
}

/** The language models, and conversations with them, whose events come as `chat` events. */
export const chatRoutes = {
  models: route({
    method: 'GET',
    path: '/api/models',
    needs: 'nothing',
    says: 'The language models, what they were used for in a day, and why there is none',
    answer: z.object({ items: z.array(c.model), problem: z.string().optional(), today: c.spent }),
    handle: async (_input, { chats }) => modelsNow(await chats.models()),
  }),
  chats: route({
    method: 'GET',
    path: '/api/chats',
    needs: 'nothing',
    says: 'Saved conversations, the one last used first',
    answer: z.object({ items: z.array(c.conversation) }),
    handle: (_input, { chats }) => ({ items: chats.conversations.all().map((one) => shown(one, chats)) }),
  }),
  startChat: route({
    method: 'POST',
    path: '/api/chats',
    needs: 'person',
    says: 'Begins a conversation',
    body: z.strictObject({ model: z.string().optional() }),
    answer: z.object({ id: z.string() }),
    handle: ({ model }, { chats }) => explained(async () => ({ id: await chats.start(model) })),
  }),
  chat: route({
    method: 'GET',
    path: '/api/chats/{id}',
    needs: 'nothing',
    says: 'A conversation with all that was said',
    answer: c.conversation.extend({
      entries: z.array(c.entry),
      underway: c.underway.optional().describe('What happened since the last entry, while the model answers'),
      remarks: z.array(c.remark).describe('What a person reads beside the last answer, as its events told it'),
      number: z.number().describe('Events with a greater number are news'),
    }),
    handle: ({ id }, { chats }) =>
      explained(async () => {
        const entries = chats.conversations.entries(id) as z.output<typeof c.entry>[]
        const { underway, ...now } = chats.now(id) as Now
        return { ...shown(chats.conversations.summary(id), chats), entries, ...now, ...(underway && { underway }) }
      }),
  }),
  changeChat: route({
    method: 'PATCH',
    path: '/api/chats/{id}',
    needs: 'person',
    says: 'Gives a conversation another title',
    body: z.strictObject({ title: z.string().max(1_000) }),
    answer: s.confirmation,
    handle: ({ id, title }, { chats }) =>
      explained(async () => {
        await chats.rename(id, title)
        return done
      }),
  }),
  sendChat: route({
    method: 'POST',
    path: '/api/chats/{id}/messages',
    needs: 'person',
    says: 'Says something; the answer comes as events',
    body: c.input,
    answer: s.confirmation,
    handle: ({ id, ...input }, { chats }) =>
      explained(async () => {
        await chats.send(id, input)
        return done
      }),
  }),
  stopChat: route({
    method: 'POST',
    path: '/api/chats/{id}/stop',
    needs: 'nothing',
    says: 'Stops the answer and its calls',
    answer: s.confirmation,
    handle: ({ id }, { chats }) =>
      explained(async () => {
        chats.conversations.summary(id)
        chats.stop(id)
        return done
      }),
  }),
  deleteChat: route({
    method: 'DELETE',
    path: '/api/chats/{id}',
    needs: 'person',
    says: 'Deletes a conversation',
    answer: s.confirmation,
    handle: ({ id }, { chats }) =>
      explained(async () => {
        await chats.remove(id)
        return done
      }),
  }),
  completeChat: route({
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
    async handle({ text }, { chats }) {
      const { word, candidates, about } = await chats.complete(text)
      return { word, candidates: [...candidates], about: [...about] }
    },
  }),
}

function shown({ model, ...rest }: ConversationSummary, chats: Chats) {
  return { ...rest, ...(model !== undefined && { model }), isAnswering: chats.isAnswering(rest.id) }
}

function modelsNow(models: Models) {
  const today = models.budgets.spentByAll(Date.now() - dayMs)
  const items = models.all.map(({ name, provider, modelId, contextTokens }) => ({
    name,
    provider,
    model: modelId,
    isUsual: name === models.choose().name,
    contextTokens,
  }))
  return { items, today, ...(models.problem !== undefined && { problem: models.problem }) }
}

/** Turns mistakes of the client into answers that explain them. */
async function explained<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ConversationError) throw new ApiError(statuses[error.code], error.message)
    if (error instanceof ModelError) throw new ApiError(error.code === 'Budget' ? 429 : 400, error.message)
    if (error instanceof Error) throw new ApiError(400, error.message)
    throw error
  }
}
