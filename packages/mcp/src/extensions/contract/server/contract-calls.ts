import { pathWithin, workingFolder } from '#contract'
import type { InputRequired, ServerHandler, ServerRequest } from '../../../dialects/dialect.ts'
import type { ServerHost, ToolCall, ToolRun } from '../../../server/extension.ts'
import { reply } from '../../../server/tool-reply.ts'
import { MemoryEffectStore } from '../../../stores/memory-effect-store.ts'
import { McpError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { ContractLimits } from '../contract-limits.ts'
import { definitionHash } from '../definition-hash.ts'
import { badTerm, callTermsOf, type ResultTerms, resultTermsOf, type Want, withResultTerms } from '../terms.ts'
import type { ToolTerms } from '../tool-terms.ts'
import { type CallState, newCallState } from './call-state.ts'
import { Arrivals, mayOverlap, Turns, turnKey } from './concurrency.ts'
import { withDeadline } from './deadline.ts'
import { callName, Idempotency } from './idempotency.ts'
import { type PreviewHandler, Previews } from './preview.ts'
import { Retryable } from './retryable.ts'
import type { ContractContext, ServerContractOptions } from './server-contract-options.ts'
import { CallSignals, type SignalledCalls } from './signals.ts'
import { fitted, replyFrom } from './spill.ts'
import type { Spills } from './spills.ts'
import { Steps } from './steps.ts'

/** The parts of a tool's definition that its calls need. */
export interface KeptTool {
  readonly terms: ToolTerms
  readonly preview: PreviewHandler | undefined
}

/** Dependencies of the calls of a server. */
export interface ContractCallsParts {
  readonly host: ServerHost
  readonly options: ServerContractOptions
  readonly limits: Required<ContractLimits>
  readonly spills: Spills | undefined
  readonly signalled: SignalledCalls
}

type Outcome = Fields | InputRequired

/** The calls of one server that use the contract; those that do not pass through untouched. */
export class ContractCalls {
  readonly #host: ServerHost
  readonly #store: NonNullable<ServerContractOptions['store']>
  readonly #maxOutcomeAgeMs: number
  readonly #idempotency: Idempotency
  readonly #previews: Previews
  readonly #turns: Turns
  readonly #arrivals = new Arrivals()
  readonly #folders: readonly string[]
  readonly #spills: Spills | undefined
  readonly #signalled: SignalledCalls
  // by their params, which stay the same when a call becomes a task
  readonly #states = new WeakMap<Fields, CallState>()

  constructor({ host, options, limits, spills, signalled }: ContractCallsParts) {
    const { store = new MemoryEffectStore(), folders } = options
    const { maxCallsWaiting, maxOutcomeAgeMs, maxPlanAgeMs } = limits
    this.#host = host
    this.#spills = spills
    this.#signalled = signalled
    this.#store = store
    this.#maxOutcomeAgeMs = maxOutcomeAgeMs
    this.#idempotency = new Idempotency(store, maxOutcomeAgeMs)
    this.#previews = new Previews(host, maxPlanAgeMs)
    this.#turns = new Turns(maxCallsWaiting)
    this.#folders = folders ?? [workingFolder() ?? '/']
  }

  /** Serves a call, before its arguments are checked. */
  serve(request: ServerRequest, next: ServerHandler): ReturnType<ServerHandler> {
    const terms = callTermsOf(request.params)
    const kept = this.#kept(request)
    if (terms || kept) return this.#governed(request, newCallState(request, terms, kept?.terms), next)
    const outcome = next(request)
    if (!this.#spills) return outcome
    return outcome instanceof Promise
      ? outcome.then((late) => this.#fitted(request, late, undefined))
      : this.#fitted(request, outcome, undefined)
  }

  /** True if a call asks for something or its tool declares something. */
  governs({ params }: ServerRequest): boolean {
    return this.#states.get(params)?.isGoverned === true
  }

  /** Adds what a handler said that used the context, although neither the call nor the tool says anything. */
  finished({ params }: ServerRequest, result: Fields): Fields {
    const state = this.#states.get(params)
    return state && !state.isGoverned ? (this.#told(state, result) as Fields) : result
  }

  async #governed(request: ServerRequest, state: CallState, next: ServerHandler): Promise<Outcome> {
    state.isGoverned = true
    this.#states.set(request.params, state)
    if (!mayOverlap(state.toolTerms.concurrency)) state.arrival = this.#arrivals.enter(state.tool)
    const leave = this.#enter(request, state)
    try {
      if (state.terms.expects !== undefined) await this.#checkExpected(request, state.terms.expects)
      if (state.terms.cwd !== undefined) await pathWithin(this.#folders, '/', state.terms.cwd)
      const once: ServerHandler = (asked) =>
        this.#idempotency.run(asked, state, async (first) => {
          const outcome = await next(first)
          return this.#told(state, state.previewed ?? outcome)
        })
      // what was too late knows of its steps as well
      const outcome = this.#told(state, await withDeadline(request, state, once))
      return await this.#fitted(request, outcome, state.terms.want)
    } finally {
      state.arrival?.settle()
      leave?.()
    }
  }

  /** Makes a call known to those who send signals, from its arrival on; the returned function ends that. */
  #enter({ caller }: ServerRequest, state: CallState): (() => void) | undefined {
    const { tool, toolTerms, terms } = state
    if (!toolTerms.signals) return undefined
    const { report } = this.#host
    const declared = Object.keys(toolTerms.signals)
    state.signals = new CallSignals({ tool, declared, caller, handle: terms.handle, report })
    return this.#signalled.enter(state.signals, terms.handle, caller)
  }

  /** Cuts an outcome to what is wanted and fits; synchronously, where that is all of it anyway. */
  #fitted(request: ServerRequest, outcome: Outcome, want: Want | undefined): Outcome | Promise<Outcome> {
    if ((!this.#spills && !want) || !('content' in outcome)) return outcome
    return fitted(this.#spills, outcome as Fields, { request, want })
  }

  /** Refuses a caller that relies on another definition than the one that is listed. */
  async #checkExpected({ params, caller }: ServerRequest, expects: string): Promise<void> {
    const tool = await this.#host.tool(params.name as string, caller)?.listed()
    if (tool && (await definitionHash(tool)) !== expects)
      throw badTerm('expects', `is the hash of another definition of tool "${params.name}": list the tools again`, {
        reason: 'changed',
      })
  }

  #told(state: CallState, outcome: Outcome): Outcome {
    if (!('content' in outcome)) return outcome
    const { steps, told } = state
    const terms: ResultTerms = { ...told, ...(steps && { steps: steps.reports }), ...resultTermsOf(outcome as Fields) }
    return Object.keys(terms).length > 0 ? withResultTerms(outcome as Fields, terms) : outcome
  }

  /** Runs a handler, after its arguments were checked. */
  async run(call: ToolCall, next: ToolRun): Promise<unknown> {
    const { request, input, ctx } = call
    const state = this.#state(request)
    const preview = this.#kept(request)?.preview
    const previewed = { state, request, input, ctx }
    if (state.terms.dryRun) {
      state.previewed = await this.#previews.answer(preview, previewed)
      // replaced by the preview: an output schema is not held against it
      return reply([], { isError: true })
    }
    const run = async (): Promise<unknown> => {
      await this.#previews.check(preview, previewed)
      if (state.signals) state.signals.ctx = ctx
      try {
        return await next(call)
      } catch (error) {
        // undone before the next call has its turn
        await this.failed(request, error)
        throw error
      }
    }
    const key = turnKey(state.tool, state.toolTerms.concurrency, input)
    if (key === undefined) return run()
    await state.arrival?.before
    const result = this.#turns.run({ tool: state.tool, key, signal: ctx.signal }, run)
    state.arrival?.settle()
    return result
  }

  /** Undoes the steps of a call that failed, and tells the caller about a repeat. */
  failed(request: ServerRequest, error: unknown): Promise<void> | undefined {
    if (error instanceof Retryable) {
      const state = this.#state(request)
      state.told = { ...state.told, retry: error.hint }
    }
    return this.#states.get(request.params)?.steps?.undo()
  }

  /** Functions that make each member of the context of a handler. */
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
        if (!Number.isSafeInteger(code))
          throw new McpError('Misuse', `Cannot end with exit code ${JSON.stringify(code)}: give a whole number`)
        const state = this.#state(request)
        state.told = { ...state.told, status: { code, class: code === 0 ? 'ok' : 'failed' } }
      },
      onSignal: (request) => (name, listener) => {
        const { signals, tool } = this.#state(request)
        if (!signals)
          throw new McpError('Misuse', `Cannot listen to signal "${name}": tool "${tool}" declares no "signals"`)
        signals.on(name, listener)
      },
      spill:
        (request) =>
        (source, { mimeType } = {}) => {
          const state = this.#state(request)
          const told = (terms: ResultTerms): void => {
            state.told = { ...state.told, ...terms }
          }
          return replyFrom(this.#spills, source, { request, mimeType, told })
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
    const known = this.#states.get(request.params)
    if (known) return known
    // a task that is taken up again has no call that was served before
    const state = newCallState(request, callTermsOf(request.params), this.#kept(request)?.terms)
    this.#states.set(request.params, state)
    return state
  }

  #kept({ params, caller }: ServerRequest): KeptTool | undefined {
    return this.#host.keep(params.name as string, caller) as KeptTool | undefined
  }
}
