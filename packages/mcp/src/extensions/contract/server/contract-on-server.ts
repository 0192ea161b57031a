import { pathWithin, workingFolder } from '#folders'
import type { InputRequired, ServerHandler, ServerRequest } from '../../../dialects/dialect.ts'
import type { Incoming } from '../../../rpc/incoming.ts'
import type { ServerHost, ServerPart, ToolCall, ToolRun } from '../../../server/extension.ts'
import { reply } from '../../../server/tool-reply.ts'
import { MemoryEffectStore } from '../../../stores/memory-effect-store.ts'
import type { Fields } from '../../../wire/messages.ts'
import { definitionHash } from '../definition-hash.ts'
import { resolveContractLimits } from '../limits.ts'
import { badTerm, callTermsOf, contractId, type ResultTerms, resultTermsOf, withResultTerms } from '../terms.ts'
import { contractFields, type ToolTerms, toolTermsOf } from '../tool-terms.ts'
import { type CallState, newCallState } from './call-state.ts'
import { Turns, turnKey } from './concurrency.ts'
import { withDeadline } from './deadline.ts'
import { callName, Idempotency } from './idempotency.ts'
import type { ContractContext, ServerContractOptions } from './options.ts'
import { type PreviewHandler, Previews } from './preview.ts'
import { Retryable } from './retryable.ts'
import { Steps } from './steps.ts'
import { asWanted } from './want.ts'

/** What is kept of a tool's definition for its calls. */
interface KeptTool {
  readonly terms: ToolTerms
  readonly preview: PreviewHandler | undefined
}

/** The server side of the contract. */
export function contractServer(host: ServerHost, options: ServerContractOptions): ServerPart {
  const calls = new ContractCalls(host, options)
  return {
    settings: options.requires ? { requires: options.requires } : {},
    fields: contractFields,
    tool(name, definition) {
      const terms = toolTermsOf(name, definition)
      if (!terms) return undefined
      const keep: KeptTool = { terms, preview: definition.preview as PreviewHandler | undefined }
      return { keep, listed: { _meta: { [contractId]: terms } } }
    },
    intercept: (next) => (request) => (request.method === 'tools/call' ? calls.serve(request, next) : next(request)),
    run: (next) => (call) => calls.run(call, next),
    context: calls.context(),
  }
}

type Outcome = Fields | InputRequired

/** The calls of one server that use the contract; those that do not pass through untouched. */
class ContractCalls {
  readonly #host: ServerHost
  readonly #store: NonNullable<ServerContractOptions['store']>
  readonly #maxOutcomeAgeMs: number
  readonly #idempotency: Idempotency
  readonly #previews: Previews
  readonly #turns: Turns
  readonly #folders: readonly string[]
  readonly #states = new WeakMap<Incoming, CallState>()

  constructor(host: ServerHost, { store = new MemoryEffectStore(), folders, limits }: ServerContractOptions) {
    const { maxCallsWaiting, maxOutcomeAgeMs, maxPlanAgeMs } = resolveContractLimits(limits)
    this.#host = host
    this.#store = store
    this.#maxOutcomeAgeMs = maxOutcomeAgeMs
    this.#idempotency = new Idempotency(store, maxOutcomeAgeMs)
    this.#previews = new Previews(host.sealer, maxPlanAgeMs)
    this.#turns = new Turns(maxCallsWaiting)
    this.#folders = folders ?? [workingFolder() ?? '/']
  }

  /** Serves a call, before its arguments are checked. */
  serve(request: ServerRequest, next: ServerHandler): ReturnType<ServerHandler> {
    const terms = callTermsOf(request.params)
    const kept = this.#kept(request)
    if (terms || kept) return this.#governed(request, newCallState(request, terms, kept?.terms), next)
    const outcome = next(request)
    // the handler may have made steps or given an exit code all the same
    if (outcome instanceof Promise) return outcome.then((late) => this.#told(request, late))
    return this.#told(request, outcome)
  }

  async #governed(request: ServerRequest, state: CallState, next: ServerHandler): Promise<Outcome> {
    this.#states.set(request.incoming, state)
    if (state.terms.expects !== undefined) await this.#checkExpected(request, state.terms.expects)
    if (state.terms.cwd !== undefined) await pathWithin(this.#folders, '/', state.terms.cwd)
    const once: ServerHandler = (asked) => this.#idempotency.run(asked, state, next)
    const outcome = await withDeadline(request, state, once)
    const told = this.#told(request, state.previewed ?? outcome)
    return state.terms.want && 'content' in told ? asWanted(told as Fields, state.terms.want) : told
  }

  /** Refuses a caller that relies on another definition than the one that is listed. */
  async #checkExpected({ params, caller }: ServerRequest, expects: string): Promise<void> {
    const tool = await this.#host.tool(params.name as string, caller)?.listed()
    if (tool && (await definitionHash(tool)) !== expects)
      throw badTerm('expects', `is the hash of another definition of tool "${params.name}": list the tools again`, {
        reason: 'changed',
      })
  }

  #told(request: ServerRequest, outcome: Outcome): Outcome {
    const state = this.#states.get(request.incoming)
    if (!state || !('content' in outcome)) return outcome
    const { steps, told } = state
    const terms: ResultTerms = { ...told, ...(steps && { steps: steps.reports }), ...resultTermsOf(outcome as Fields) }
    return Object.keys(terms).length > 0 ? withResultTerms(outcome as Fields, terms) : outcome
  }

  /** Runs a handler, after its arguments were checked. */
  run(call: ToolCall, next: ToolRun): unknown {
    const state = this.#states.get(call.request.incoming)
    return state ? this.#runGoverned(call, state, next) : this.#runPlain(call, next)
  }

  // a handler without terms may still make steps
  #runPlain(call: ToolCall, next: ToolRun): unknown {
    try {
      const value = next(call)
      return value instanceof Promise ? value.catch((error: unknown) => this.#failed(call, error)) : value
    } catch (error) {
      return this.#failed(call, error)
    }
  }

  async #runGoverned(call: ToolCall, state: CallState, next: ToolRun): Promise<unknown> {
    const { request, input, ctx } = call
    const preview = this.#kept(request)?.preview
    const previewed = { state, request, input, ctx }
    if (state.terms.dryRun) {
      state.previewed = await this.#previews.answer(preview, previewed)
      // replaced by the preview: an output schema is not held against it
      return reply([], { isError: true })
    }
    const run = async (): Promise<unknown> => {
      await this.#previews.check(preview, previewed)
      try {
        return await next(call)
      } catch (error) {
        return this.#failed(call, error)
      }
    }
    const key = turnKey(state.tool, state.toolTerms.concurrency, input)
    return key === undefined ? run() : this.#turns.run({ tool: state.tool, key, signal: ctx.signal }, run)
  }

  /** Undoes the steps of a call that failed, and tells the caller about a repeat. */
  async #failed({ request }: ToolCall, error: unknown): Promise<never> {
    await this.#states.get(request.incoming)?.steps?.undo()
    if (error instanceof Retryable) {
      const state = this.#state(request)
      state.told = { ...state.told, retry: error.hint }
    }
    throw error
  }

  /** What makes each member of the context of a handler. */
  context(): { readonly [Member in keyof ContractContext]: (request: ServerRequest) => ContractContext[Member] } {
    return {
      want: (request) => this.#state(request).terms.want?.detail ?? 'normal',
      deadline: (request) => {
        const { deadline } = this.#state(request)
        return deadline === undefined ? undefined : new Date(deadline)
      },
      cwd: (request) => this.#cwd(request),
      path: (request) => (path) => pathWithin(this.#folders, this.#cwd(request), path),
      step: (request) => (name, run, undo) => this.#steps(request).run(name, run, undo),
      exit: (request) => (code) => {
        const state = this.#state(request)
        state.told = { ...state.told, status: { code, class: code === 0 ? 'ok' : 'failed' } }
      },
    }
  }

  #cwd(request: ServerRequest): string {
    return this.#state(request).terms.cwd ?? this.#folders[0] ?? '/'
  }

  #steps(request: ServerRequest): Steps {
    const state = this.#state(request)
    const { idempotencyKey } = state.terms
    const isResumable = idempotencyKey !== undefined && state.toolTerms.idempotent === 'by steps'
    state.steps ??= new Steps(
      isResumable
        ? { store: this.#store, call: callName(request, state), expiresAt: Date.now() + this.#maxOutcomeAgeMs }
        : undefined,
    )
    return state.steps
  }

  #state(request: ServerRequest): CallState {
    const known = this.#states.get(request.incoming)
    if (known) return known
    const state = newCallState(request)
    this.#states.set(request.incoming, state)
    return state
  }

  #kept({ params, caller }: ServerRequest): KeptTool | undefined {
    return this.#host.tool(params.name as string, caller)?.keep as KeptTool | undefined
  }
}
