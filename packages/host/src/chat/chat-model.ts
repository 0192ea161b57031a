import type { LanguageModel } from 'ai'
import type { ConfiguredModel } from '../config/resolve-models.ts'
import { type AskModelOptions, askModel } from '../model/ask-model.ts'
import type { ModelRequest } from '../model/model-request.ts'
import type { Models, PaidReply } from '../model/models.ts'

/** A model to converse with. */
export interface ChatModel {
  readonly name: string
  /** Size of its context window in tokens, the answer included. */
  readonly contextTokens: number
  readonly maxOutputTokens: number
  ask(request: ModelRequest, options: Pick<AskModelOptions, 'signal' | 'onText'>): Promise<PaidReply>
}

/** A model of the host, within its budgets. */
export function hostModel(models: Models, model: ConfiguredModel): ChatModel {
  const { name, contextTokens, maxOutputTokens } = model
  return {
    name,
    contextTokens,
    maxOutputTokens,
    ask: (request, options) => models.ask(model, request, { ...options, spender: 'chat' }),
  }
}

/** Any model of the AI SDK. */
export function sdkModel(
  model: LanguageModel,
  { name = 'model', contextTokens = 100_000, maxOutputTokens = 8_192 }: Partial<Omit<ChatModel, 'ask'>> = {},
): ChatModel {
  return {
    name,
    contextTokens,
    maxOutputTokens,
    ask: async (request, options) => ({ ...(await askModel(model, request, { ...options, name })), cost: 0 }),
  }
}
