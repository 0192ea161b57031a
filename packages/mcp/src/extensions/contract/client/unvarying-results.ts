import type { ClientRequest } from '../../../client/client-request.ts'
import type { ClientHost } from '../../../client/extension.ts'
import { LeastRecentlyUsed } from '../../../client/least-recently-used.ts'
import { sizeInMemory } from '../../../client/size-in-memory.ts'
import { canonicalJson } from '../../../wire/canonical-json.ts'
import type { Fields } from '../../../wire/messages.ts'
import { contractId, resultTermsOf } from '../terms.ts'
import type { ToolTerms } from '../tool-terms.ts'
import type { ContractCallOptions } from './contract-call-options.ts'
import type { ExpectedTools } from './expected-tools.ts'

interface Kept {
  readonly result: Fields
  /** Time of the request, as in `performance.now()`. */
  readonly at: number
}

/** Terms of a call beside its arguments, for which a result of another call cannot take its place. */
const ownTerms = ['plan', 'expects', 'handle', 'idempotencyKey'] as const

/** Results of tools that only read and say that their results do not vary, for callers that take one of some age. */
export class UnvaryingResults {
  readonly #kept: LeastRecentlyUsed<Kept>
  readonly #tools: ExpectedTools

  constructor({ limits }: Pick<ClientHost, 'limits'>, tools: ExpectedTools) {
    this.#kept = new LeastRecentlyUsed({ maxEntries: limits.maxCacheEntries, maxBytes: limits.maxCacheBytes })
    this.#tools = tools
  }

  /** The tools may be others now. */
  forget(): void {
    this.#kept.deleteIf(() => true)
  }

  /** The result of an earlier call that is young enough, or that of a call which is made now. */
  async answer({ params, options }: ClientRequest, call: () => Promise<Fields>): Promise<Fields> {
    const { want, cwd, maxAgeMs = 0, ...rest } = options as Partial<ContractCallOptions>
    if (ownTerms.some((term) => rest[term] !== undefined)) return call()
    const key = canonicalJson([params.name, params.arguments ?? {}, want ?? null, cwd ?? null])
    const at = performance.now()
    const kept = this.#kept.get(key)
    if (kept && at - kept.at <= maxAgeMs) return kept.result
    const result = await call()
    const isWhole = result.isError !== true && resultTermsOf(result)?.spilled === undefined
    if (isWhole && (await this.#isUnvarying(String(params.name), maxAgeMs)))
      this.#kept.set(key, { result, at }, key.length + sizeInMemory(result))
    return result
  }

  async #isUnvarying(name: string, maxAgeMs: number): Promise<boolean> {
    // a call that was answered is not lost because the tools cannot be listed
    const tool = await this.#tools.find(name, maxAgeMs).catch(() => undefined)
    const { varies, effects } = (tool?._meta?.[contractId] ?? {}) as ToolTerms
    const onlyReads = tool?.annotations?.readOnlyHint === true || (effects && !doers.some((doer) => effects[doer]))
    return onlyReads === true && Array.isArray(varies) && varies.length === 0
  }
}

/** Effects that would be missing if the call were not made. */
const doers = ['writes', 'deletes', 'network', 'cost'] as const
