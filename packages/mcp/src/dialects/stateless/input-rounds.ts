import { deadlineDefaults } from '../../rpc/deadline.ts'
import type { Call } from '../../rpc/outgoing-calls.ts'
import type { CallOptions } from '../../rpc/pending-call.ts'
import { McpError } from '../../wire/errors.ts'
import type { Fields } from '../../wire/messages.ts'
import { describeShapeProblem, type Shape } from '../../wire/shape.ts'
import type { Vocabulary } from '../../wire/vocabulary.ts'
import type { ClientSide, DuringCall, Link } from '../dialect.ts'
import { meta } from './request-meta.ts'
import { withinBudget } from './time-budget.ts'

const unknown = { outcome: 'Unknown' } as const

export interface RoundsOptions {
  /** The `_meta` of every request. */
  readonly requestMeta: Fields
  readonly vocabulary: Vocabulary
  /** The results that extensions add, by `resultType`. */
  readonly resultTypes: ReadonlyMap<string, Shape>
}

/** Wraps calls: as long as the server asks for input, answers and repeats the call. */
export function withInputRounds(
  { call, gone }: Pick<Link, 'call' | 'gone'>,
  self: ClientSide,
  { requestMeta, vocabulary, resultTypes }: RoundsOptions,
): Call {
  return async (method, params, options = {}) => {
    const { maxTotalMs = deadlineDefaults.maxTotalMs } = options
    const startedAt = performance.now()
    // one time budget for all rounds, or a server could keep a call open for ever
    const left = (): number => maxTotalMs - (performance.now() - startedAt)
    const late = (): McpError =>
      new McpError('Timeout', `Cannot finish "${method}": no answer in ${maxTotalMs} ms in total`, unknown)
    const logLevel = self.logLevel()
    const _meta = {
      // the caller's own "_meta" must not replace the client's
      ...(params._meta as Fields | undefined),
      ...requestMeta,
      ...(logLevel && { [meta.logLevel]: logLevel }),
    }
    const onProgress = forward(options.onProgress)
    // apart from the loop: few calls are asked anything, and each would pay for what has to be disposed of
    const askedFor = async (result: Fields): Promise<Fields> => {
      using asking = new Asking(options.signal, gone, method)
      const { signal } = asking
      const answering = answered(method, result, { self, vocabulary, during: { context: options.context, signal } })
      return await withinBudget(answering, { leftMs: left(), signal, late })
    }
    let retry: Fields = {}
    for (let round = 0; round <= self.maxInputRoundsPerCall; round++) {
      const leftMs = left()
      if (leftMs <= 0) throw late()
      const sending = call(method, { ...params, ...retry, _meta }, { ...options, onProgress, maxTotalMs: leftMs })
      const result = await (round > 0 ? sending.catch(begun) : sending)
      const { resultType = 'complete', ...plain } = result
      // a result that depends on answers must not be cached
      if (resultType === 'complete') return round > 0 && 'ttlMs' in plain ? { ...plain, ttlMs: 0 } : plain
      if (resultType !== 'input_required') {
        const problem = problemOf(result, resultTypes)
        if (problem) throw invalid(method, problem)
        return result
      }
      retry = await askedFor(result)
    }
    throw new McpError(
      'TooMany',
      `Cannot finish "${method}": the server asked for input more than ${self.maxInputRoundsPerCall} times`,
      unknown,
    )
  }
}

/** The time in which a call waits for answers: it ends when the call is cancelled, and when the connection is gone. */
class Asking {
  readonly #stop = new AbortController()
  readonly #ends: readonly (readonly [AbortSignal, () => void])[]

  constructor(cancelled: AbortSignal | undefined, gone: AbortSignal, method: string) {
    const closed = (): McpError =>
      new McpError('Closed', `Cannot finish "${method}": the connection is closed`, unknown)
    this.#ends = [
      ...(cancelled ? [[cancelled, () => this.#stop.abort(cancelled.reason)] as const] : []),
      [gone, () => this.#stop.abort(closed())],
    ]
    for (const [signal, end] of this.#ends) {
      if (signal.aborted) end()
      else signal.addEventListener('abort', end)
    }
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  [Symbol.dispose](): void {
    for (const [signal, end] of this.#ends) signal.removeEventListener('abort', end)
  }
}

/** A later round that was not sent does not make the call `NotSent`: earlier rounds may have had effects. */
function begun(error: unknown): never {
  if (!(error instanceof McpError) || error.outcome !== 'NotSent') throw error
  const code = error.code === 'NotSent' ? 'Closed' : error.code
  throw new McpError(code, error.message, { outcome: 'Unknown', cause: error })
}

/** Forwards progress without repetitions: a replayed call reports its first steps again. */
function forward(onProgress: CallOptions['onProgress']): CallOptions['onProgress'] {
  if (!onProgress) return undefined
  let reached = Number.NEGATIVE_INFINITY
  return (report) => {
    if (report.progress <= reached) return
    reached = report.progress
    onProgress(report)
  }
}

/** Finds the fault in a result of an unknown type or of an extension. */
function problemOf(result: Fields, resultTypes: ReadonlyMap<string, Shape>): string | undefined {
  const shape = resultTypes.get(result.resultType as string)
  if (!shape) return `resultType ${JSON.stringify(result.resultType)} is unknown`
  const problem = shape.check(result)
  return problem && describeShapeProblem(problem)
}

interface Answering {
  readonly during: DuringCall
  readonly self: ClientSide
  readonly vocabulary: Vocabulary
}

interface InputRequiredResult {
  readonly inputRequests?: { readonly [key: string]: { readonly method: string; readonly params?: Fields } }
  readonly requestState?: string
}

async function answered(method: string, result: Fields, { self, vocabulary, during }: Answering): Promise<Fields> {
  const problem = vocabulary.types.InputRequiredResult?.check(result)
  if (problem) throw invalid(method, describeShapeProblem(problem))
  const { inputRequests = {}, requestState } = result as unknown as InputRequiredResult
  const answers = Object.entries(inputRequests).map(async ([key, { method: asked, params = {} }]) => {
    return [key, await self.answer(asked, params, { ...during, key })] as const
  })
  const inputResponses = Object.fromEntries(await Promise.all(answers))
  return { inputResponses, ...(requestState !== undefined && { requestState }) }
}

function invalid(method: string, problem: string): McpError {
  return new McpError('InvalidResponse', `Cannot read the answer to "${method}": ${problem}`, unknown)
}
