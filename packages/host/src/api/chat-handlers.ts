import { ConversationError, type ConversationSummary } from '../chat/conversations.ts'
import { ModelError } from '../model/model-error.ts'
import type { Models } from '../model/models.ts'
import { ApiError } from './api-error.ts'
import { done, type Handlers } from './handlers.ts'
import type { ApiParts } from './parts.ts'
import type { RouteAnswer } from './routes.ts'

const dayMs = 86_400_000
const statuses = { Unknown: 404, Full: 409, Busy: 409, Invalid: 400 } as const

type ChatHandlers = Pick<
  Handlers,
  'models' | 'chats' | 'startChat' | 'chat' | 'changeChat' | 'sendChat' | 'stopChat' | 'deleteChat' | 'completeChat'
>

/** Language models and conversations. */
export function chatHandlers({ chats }: ApiParts): ChatHandlers {
  const { conversations } = chats
  const shown = ({ model, ...rest }: ConversationSummary) => ({
    ...rest,
    ...(model !== undefined && { model }),
    isAnswering: chats.isAnswering(rest.id),
  })
  return {
    models: async () => modelsNow(await chats.models()),
    chats: () => ({ items: conversations.all().map(shown) }),
    startChat: ({ model }) => explained(async () => ({ id: await chats.start(model) })),
    chat: ({ id }) =>
      explained(async () => {
        const entries = conversations.entries(id) as RouteAnswer<'chat'>['entries']
        const { number, underway } = chats.underway(id) as Pick<RouteAnswer<'chat'>, 'number' | 'underway'>
        return { ...shown(conversations.summary(id)), entries, number, ...(underway && { underway }) }
      }),
    changeChat: ({ id, title }) =>
      explained(async () => {
        await chats.rename(id, title)
        return done
      }),
    sendChat: ({ id, ...input }) =>
      explained(async () => {
        await chats.send(id, input)
        return done
      }),
    stopChat: ({ id }) =>
      explained(async () => {
        conversations.summary(id)
        chats.stop(id)
        return done
      }),
    deleteChat: ({ id }) =>
      explained(async () => {
        await chats.remove(id)
        return done
      }),
    async completeChat({ text }) {
      const { word, candidates, about } = await chats.complete(text)
      return { word, candidates: [...candidates], about: [...about] }
    },
  }
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
