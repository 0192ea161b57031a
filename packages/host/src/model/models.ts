import type { LanguageModel } from 'ai'
import type { ServerName } from '../act/server-name.ts'
import type { ConfiguredModel } from '../config/resolve-models.ts'
import type { Store } from '../store/store.ts'
import { type AskModelOptions, askModel } from './ask-model.ts'
import { type Budget, Budgets, usualBudget } from './budgets.ts'
import { chooseModel, type ModelWishes } from './choose-model.ts'
import { estimateTokens, tokensOf } from './estimate-tokens.ts'
import { ModelError } from './model-error.ts'
import type { ModelReply, ModelRequest, TokenCount } from './model-request.ts'
import { providerModel } from './providers.ts'

/** The configured models, and their limits. */
export interface ModelSettings {
  readonly models: readonly ConfiguredModel[]
  /** The usual one. @default the first */
  readonly use?: string | undefined
  /** Tokens that all spenders together may use in a day. @default no limit */
  readonly tokensPerDay?: number | undefined
  /** Budget of a server. @default 60 requests and 100 000 tokens an hour, 300 and 500 000 a day */
  budgetOf?(server: ServerName): Budget
  /** Reasons why configured models cannot be used, for people. */
  readonly problems?: readonly string[]
}

/** A request to a model, and its spender. */
export interface Use extends Omit<AskModelOptions, 'name'> {
  /** Such as `chat`, or `server files`. */
  readonly spender: string
  /** @default no limit of its own */
  readonly budget?: Budget
}

/** A reply with its cost. */
export interface PaidReply extends ModelReply {
  readonly cost: number
}

/** The language models of the host. Nothing of a provider is loaded before one is asked. */
export class Models {
  readonly budgets: Budgets
  #settings: ModelSettings = { models: [] }
  readonly #made = new Map<ConfiguredModel, Promise<LanguageModel>>()

  constructor(store: Store) {
    this.budgets = new Budgets(store)
  }

  /** Follows a change of the configuration; requests under way go on. */
  configure(settings: ModelSettings): void {
    this.#settings = settings
    this.#made.clear()
  }

  get all(): readonly ConfiguredModel[] {
    return this.#settings.models
  }

  /** Reason why there is no model; undefined when there is one. */
  get problem(): string | undefined {
    return this.all.length > 0 ? undefined : this.#missing().message
  }

  /** Budget of a server. */
  budgetOf(server: ServerName): Budget {
    return this.#settings.budgetOf?.(server) ?? usualBudget
  }

  /** The model that fits the wishes best; if there is none, the error says what to configure. */
  choose(wishes?: ModelWishes): ConfiguredModel {
    const { models, use } = this.#settings
    const chosen = chooseModel(models, wishes, use)
    if (chosen) return chosen
    throw this.#missing()
  }

  /** The model of this name, or the usual one. */
  named(name?: string): ConfiguredModel {
    if (name === undefined) return this.choose()
    const found = this.all.find((model) => model.name === name)
    if (found) return found
    const known = this.all.map((model) => `"${model.name}"`).join(', ')
    throw this.all.length === 0
      ? this.#missing()
      : new ModelError('NoModel', `Cannot find the model "${name}": there are ${known}`)
  }

  /** Asks a model within the budget, and counts the use. */
  async ask(model: ConfiguredModel, request: ModelRequest, use: Use): Promise<PaidReply> {
    const { spender, budget = {}, ...options } = use
    const inputTokens = estimateTokens(request)
    const reserved = await this.budgets.reserve({
      spender,
      model: model.name,
      inputTokens,
      maxTokens: Math.min(request.maxTokens, model.maxOutputTokens),
      budget,
      tokensPerDayOfAll: this.#settings.tokensPerDay,
    })
    let tokens: TokenCount = { input: 0, output: 0 }
    const onText = (text: string): void => {
      // no provider reports the tokens of an answer that breaks off
      tokens = { input: inputTokens, output: tokens.output + tokensOf(text) }
      options.onText?.(text)
    }
    try {
      const made = await this.#provider(model)
      const bounded = { ...request, maxTokens: reserved.maxTokens }
      const reply = await askModel(made, bounded, { ...options, onText, name: model.name })
      tokens = reply.tokens
      return { ...reply, model: reply.model || model.modelId, cost: costOf(model, tokens) }
    } finally {
      await reserved.settle(tokens, costOf(model, tokens))
    }
  }

  #provider(model: ConfiguredModel): Promise<LanguageModel> {
    const made = this.#made.get(model) ?? providerModel(model)
    this.#made.set(model, made)
    return made
  }

  #missing(): ModelError {
    const [problem] = this.#settings.problems ?? []
    const fix =
      `"models": { "best": { "provider": "anthropic", "name": "…", "key": "\${ANTHROPIC_API_KEY}" } }, ` +
      `or "key": "secret:anthropic" and store it with "trunkline secret set anthropic"; ` +
      `a model of this machine needs no key: { "provider": "ollama", "name": "…" }`
    return new ModelError(
      'NoModel',
      problem === undefined
        ? `Cannot use a model: none is configured; write into trunkline.json ${fix}`
        : `Cannot use a model: ${problem}`,
    )
  }
}

function costOf({ inputPrice, outputPrice }: ConfiguredModel, { input, output }: TokenCount): number {
  return (input * inputPrice + output * outputPrice) / 1_000_000
}
