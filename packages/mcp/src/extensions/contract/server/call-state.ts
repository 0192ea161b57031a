import type { ServerRequest } from '../../../dialects/dialect.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { CallTerms, ResultTerms } from '../terms.ts'
import type { ToolTerms } from '../tool-terms.ts'
import type { Arrival } from './concurrency.ts'
import type { CallSignals } from './signals.ts'
import type { Steps } from './steps.ts'

/** One call of a tool, as the mechanisms of the contract see it. */
export interface CallState {
  readonly tool: string
  readonly terms: CallTerms
  readonly toolTerms: ToolTerms
  /** True if the call asks for something or its tool declares something; else only its handler used the context. */
  isGoverned?: true
  /** End of the caller's wait for the result, in milliseconds as `Date.now()` returns them. */
  deadline?: number
  /** Terms of the result beside its content. */
  told: ResultTerms
  /** The answer to a dry run, which the tool's output schema does not describe. */
  previewed?: Fields
  /** The place of the call among those of its tool that may not overlap. */
  arrival?: Arrival
  /** The steps of the handler, once it has made one. */
  steps?: Steps
  /** The signals to the handler, where its tool declares any. */
  signals?: CallSignals
}

/** The state of a call that has asked for nothing yet. */
export function newCallState(
  { params }: Pick<ServerRequest, 'params'>,
  terms: CallTerms = {},
  toolTerms: ToolTerms = {},
): CallState {
  return { tool: String(params.name), terms, toolTerms, told: {} }
}
