import { choice, decimal, listOf, mapOf, type Of, table, textValue, whole } from './shape.ts'

const address = textValue({
  matches: /^(?:https?:\/\/|.*\$\{)\S*$/,
  problem: 'is no address of a provider',
  fix: 'write one that begins with https:// or http://',
})
const reference = textValue({
  matches: /^secret:[A-Za-z0-9_.-]+$|\$\{/,
  problem: 'is no reference to a key',
  fix: 'write "${NAME}" for a variable of the environment, or "secret:NAME" for a secret',
})

/** One language model: its provider, its address, and its strengths. */
export const modelEntry = table({
  provider: {
    says: 'Who runs it; compatible is any endpoint that speaks as OpenAI does.',
    shape: choice('anthropic', 'openai', 'ollama', 'vllm', 'compatible'),
  },
  name: { says: 'What the provider calls it; the name it has here where missing.', shape: textValue() },
  url: { says: 'The address of the provider, when it is not the usual one.', shape: address },
  key: { says: 'The key of the provider, as "${NAME}" or "secret:NAME".', shape: reference },
  headers: { says: 'Headers for every request to the provider.', shape: mapOf(textValue()) },
  hints: { says: 'Names of other models that servers ask for and this one stands for.', shape: listOf(textValue()) },
  intelligence: { says: 'How able it is, from 0 to 1, beside the others.', shape: decimal(0, 1), default: 0.5 },
  speed: { says: 'How fast it is, from 0 to 1, beside the others.', shape: decimal(0, 1), default: 0.5 },
  inputPrice: { says: 'What a million tokens cost that it reads.', shape: decimal(0, 1_000_000), default: 0 },
  outputPrice: { says: 'What a million tokens cost that it writes.', shape: decimal(0, 1_000_000), default: 0 },
  contextTokens: {
    says: 'How many tokens of a conversation it is given at most.',
    shape: whole(1_000, 100_000_000),
    default: 100_000,
  },
  maxOutputTokens: { says: 'How many tokens it may write at once.', shape: whole(1, 10_000_000), default: 8_192 },
})

/** Budget of model requests and tokens. */
export const modelBudget = table({
  requestsPerHour: { says: 'How many requests in an hour.', shape: whole(0, 1_000_000), default: 60 },
  requestsPerDay: { says: 'How many requests in a day.', shape: whole(0, 1_000_000), default: 300 },
  tokensPerHour: { says: 'How many tokens in an hour.', shape: whole(0, 1_000_000_000), default: 100_000 },
  tokensPerDay: { says: 'How many tokens in a day.', shape: whole(0, 1_000_000_000), default: 500_000 },
})

/** The model in use, and the budgets. */
export const modelUse = table({
  use: { says: 'The model of chat, and of servers that wish for none; the first where missing.', shape: textValue() },
  tokensPerDay: { says: 'How many tokens a day may cost, of chat and all servers.', shape: whole(0, 1_000_000_000) },
  budget: { says: 'How much of the models each server may use.', shape: modelBudget },
  budgets: { says: 'The same for single servers, by their names.', shape: mapOf(modelBudget) },
})

/** One model as it is written. */
export type ModelEntry = Of<typeof modelEntry>

/** A budget as it is written. */
export type ModelBudget = Of<typeof modelBudget>
