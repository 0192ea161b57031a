import type { Store } from '../store/store.ts'
import { ModelUseTable } from '../store/tables/model-use-table.ts'
import { ModelError } from './model-error.ts'
import type { TokenCount } from './model-request.ts'

/** Limits of one spender's use of the models; `undefined` is no limit. */
export interface Budget {
  readonly requestsPerHour?: number | undefined
  readonly requestsPerDay?: number | undefined
  readonly tokensPerHour?: number | undefined
  readonly tokensPerDay?: number | undefined
}

/** Default budget of each server. */
export const usualBudget = {
  requestsPerHour: 60,
  requestsPerDay: 300,
  tokensPerHour: 100_000,
  tokensPerDay: 500_000,
} as const satisfies Budget

/** Use of the models in some time. */
export interface Spent {
  readonly requests: number
  readonly tokens: number
  readonly cost: number
}

/** A use that was counted before it is known how much it takes. */
export interface Reserved {
  /** Tokens that the answer may take. */
  readonly maxTokens: number
  /** Counts the real use; a request that came to nothing stays a request. */
  settle(tokens: TokenCount, cost: number): Promise<void>
}

/** User of a model, and the request. */
export interface Spending {
  /** Such as `chat` or `server files`. */
  readonly spender: string
  readonly model: string
  /** Estimated tokens of the request itself. */
  readonly inputTokens: number
  readonly maxTokens: number
  readonly budget: Budget
  /** Tokens that all spenders together may use in a day. */
  readonly tokensPerDayOfAll: number | undefined
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Uses are kept so long, to be shown. */
const keepMs = 31 * dayMs
/** Uses that are kept at most; the oldest go first. */
const maxUses = 100_000

/** Counts the use of the models, in the store, so that a restart forgets nothing. */
export class Budgets {
  readonly #store: Store
  readonly #table: ModelUseTable
  readonly #maxUses: number

  constructor(store: Store, { maxUses: most = maxUses }: { readonly maxUses?: number } = {}) {
    this.#store = store
    this.#table = new ModelUseTable(store)
    this.#maxUses = most
  }

  /** Use by a spender since a time. */
  spentBy(spender: string, since: number): Spent {
    return spentOf(this.#table.sumsOf(spender, since))
  }

  /** Use by all spenders since a time. */
  spentByAll(since: number): Spent {
    return spentOf(this.#table.sumsOfAll(since))
  }

  /** Takes the maximum of a request out of the budget before it is sent, so that many at once cannot exceed it. */
  async reserve(spending: Spending): Promise<Reserved> {
    const { spender, model, inputTokens } = spending
    const maxTokens = this.#allowed(spending)
    let id = 0
    await this.#store.batch(() => {
      const now = Date.now()
      id = this.#table.insert({ at: now, spender, model, input: inputTokens, output: maxTokens })
      this.#table.prune(now - keepMs, this.#maxUses)
    })
    return {
      maxTokens,
      settle: (tokens, cost) => this.#store.batch(() => this.#table.update(id, tokens, cost)),
    }
  }

  /** Tokens that an answer may take; throws when nothing is left. */
  #allowed({ spender, inputTokens, maxTokens, budget, tokensPerDayOfAll }: Spending): number {
    const now = Date.now()
    const spans = [
      { ms: hourMs, span: 'hour', requests: budget.requestsPerHour, tokens: budget.tokensPerHour },
      { ms: dayMs, span: 'day', requests: budget.requestsPerDay, tokens: budget.tokensPerDay },
    ] as const
    let left = maxTokens
    for (const { ms, span, requests, tokens } of spans) {
      const spent = this.#table.sumsOf(spender, now - ms)
      const retryAt = (spent.oldest ?? now) + ms
      if (requests !== undefined && spent.requests >= requests)
        throw exhausted(spender, `${requests} requests`, span, retryAt)
      if (tokens === undefined) continue
      left = Math.min(left, tokens - spent.tokens - inputTokens)
      if (left <= 0) throw exhausted(spender, `${tokens} tokens`, span, retryAt)
    }
    if (tokensPerDayOfAll === undefined) return left
    const spent = this.#table.sumsOfAll(now - dayMs)
    left = Math.min(left, tokensPerDayOfAll - spent.tokens - inputTokens)
    if (left <= 0) throw exhausted('everybody', `${tokensPerDayOfAll} tokens`, 'day', (spent.oldest ?? now) + dayMs)
    return left
  }
}

function spentOf({ requests, tokens, cost }: Spent): Spent {
  return { requests, tokens, cost }
}

function exhausted(spender: string, what: string, span: string, retryAt: number): ModelError {
  const when = new Date(retryAt).toISOString().slice(0, 16).replace('T', ' ')
  return new ModelError(
    'Budget',
    `Cannot use a model for ${spender}: its ${what} of this ${span} are used up; some are free again at ${when} UTC`,
    { retryAt },
  )
}
