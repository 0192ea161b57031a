import type { Dialect } from '../dialects/dialect.ts'
import { methods } from '../model/features.ts'
import type { ServerCapabilities } from '../model/types.ts'
import type { Labels } from '../rpc/channel.ts'
import { compose, type Interceptor } from '../rpc/interceptor.ts'
import type { Call } from '../rpc/outgoing-calls.ts'
import type { CallOptions } from '../rpc/pending-call.ts'
import { McpError } from '../wire/errors.ts'
import type { Fields } from '../wire/messages.ts'
import { describeShapeProblem } from '../wire/shape.ts'
import { checkCallOptions } from './call-options.ts'
import type { ClientOptions } from './client-options.ts'
import type { ClientHandler, ClientRequest, RequestOptions } from './client-request.ts'
import { withoutInvalidItems } from './invalid-items.ts'

export interface RequesterParts {
  readonly dialect: Dialect
  readonly capabilities: ServerCapabilities
  readonly send: Call
  readonly options: ClientOptions
  /** The options that a call may have. */
  readonly callOptions: ReadonlySet<string>
  /** Interceptors around every request; the first one is the outermost. */
  readonly interceptors: readonly Interceptor<ClientHandler>[]
  warn(message: string): void
}

const none: RequestOptions = {}

/** Sends one request: refuses methods that the server does not offer, and checks the result. */
export class Requester {
  readonly #parts: RequesterParts
  readonly #handle: ClientHandler

  constructor(parts: RequesterParts) {
    this.#parts = parts
    const { interceptors, send } = parts
    this.#handle = compose<ClientHandler>(interceptors, async (request) => {
      const result = await send(request.method, request.params, this.#shown(request))
      return this.#checked(request.method, result)
    })
  }

  /** Sends a request; `labels` are its header parameters. */
  async request(method: string, params: Fields, given: RequestOptions = none, labels?: Labels): Promise<Fields> {
    if (given !== none) checkCallOptions(method, given, this.#parts.callOptions)
    this.#assertOffered(method)
    const { timeoutMs, maxTotalMs } = this.#parts.options
    const { meta, ...own } = given
    const options = {
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(maxTotalMs !== undefined && { maxTotalMs }),
      ...own,
      ...(labels && { labels }),
    }
    return this.#handle({ method, params: meta ? { ...params, _meta: meta } : params, options })
  }

  /** True if the revision has the method and the server offers the feature it belongs to. */
  offers(method: string): boolean {
    const { dialect, capabilities } = this.#parts
    if (!dialect.vocabulary.client.requests.has(method)) return false
    const needs = dialect.methods.get(method)?.needs
    // a revision without the capability cannot require it
    const known = needs !== undefined && dialect.vocabulary.types.ServerCapabilities?.fields?.has(needs) !== false
    return !known || capabilities[needs] !== undefined
  }

  #assertOffered(method: string): void {
    if (this.offers(method)) return
    const { dialect } = this.#parts
    const known = dialect.vocabulary.client.requests.has(method)
    const problem = known
      ? `the server does not offer "${dialect.methods.get(method)?.needs}"`
      : `revision ${dialect.revision} does not have it`
    throw new McpError('Unsupported', `Cannot call "${method}": ${problem}`, { outcome: 'NotSent' })
  }

  // transports know the name parameter of protocol methods only
  #shown({ method, params, options }: ClientRequest): CallOptions {
    const named = methods.has(method) ? undefined : this.#parts.dialect.methods.get(method)?.named
    return named === undefined ? options : { ...options, name: params[named] as string }
  }

  #checked(method: string, result: Fields): Fields {
    const { dialect, warn } = this.#parts
    // the dialect has checked other types of result
    if (dialect.resultTypes.has(result.resultType as string)) return result
    const shape = dialect.vocabulary.client.requests.get(method)?.result
    const problem = shape?.check(result)
    if (!shape || !problem) return result
    const rest = withoutInvalidItems(method, result, { types: dialect.vocabulary.types, warn })
    if (rest && !shape.check(rest)) return rest
    throw new McpError('InvalidResponse', `Cannot read the answer to "${method}": ${describeShapeProblem(problem)}`, {
      outcome: 'Unknown',
    })
  }
}
