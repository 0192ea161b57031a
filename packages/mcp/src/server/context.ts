import type { Caller, OnceOptions, ServerRequest } from '../dialects/dialect.ts'
import { controlMethods } from '../model/control-methods.ts'
import type { Root, SamplingRequest, SamplingResult } from '../model/input.ts'
import type { LogLevel, Meta } from '../model/types.ts'
import type { AnySchema, SchemaOutput } from '../schema/adapter.ts'
import { type KnownOptions, refuseUnknownOptions } from '../wire/known-options.ts'
import type { Fields } from '../wire/messages.ts'
import { type AskOptions, elicit, elicitUrl, questionKey, sample } from './elicitation.ts'
import { leftOut, logParams } from './logging.ts'
import { MessageRate } from './message-rate.ts'
import { progressParams } from './progress.ts'

/** The request that a context belongs to, for extensions. */
export let requestOf: (ctx: Context) => ServerRequest

/** The second argument of a handler: the caller, and how to send messages to it. */
export class Context {
  readonly #request: ServerRequest
  #reached = Number.NEGATIVE_INFINITY
  // made on first use: most handlers send nothing
  #progressRate: MessageRate | undefined
  #logRate: MessageRate | undefined

  static {
    requestOf = (ctx) => ctx.#request
  }

  constructor(request: ServerRequest) {
    this.#request = request
  }

  /** Aborts when the caller cancels or disconnects, and when the call ends to wait for input. */
  get signal(): AbortSignal {
    return this.#request.incoming.signal
  }

  get caller(): Caller {
    return this.#request.caller
  }

  /** The metadata of the request, trace context included. */
  get meta(): Meta {
    return (this.#request.params._meta as Meta | undefined) ?? {}
  }

  // the members below return functions, so that they can be taken out of the context by destructuring

  /** Reports progress, if the caller asked for it; a report that does not increase is dropped. */
  get progress(): (progress: number, total?: number, message?: string) => Promise<void> {
    return (progress, total, message) => {
      const params = progressParams(
        { progress, total, message },
        { token: this.meta.progressToken, reached: this.#reached },
      )
      if (!params) return told
      this.#progressRate ??= new MessageRate(this.#request.limits?.maxProgressPerSecondPerCall ?? unlimited)
      if (this.#progressRate.next() !== 'yes') return this.#progressRate.turn ?? told
      this.#reached = progress
      return this.#tell(controlMethods.progress, params)
    }
  }

  /** Sends a log message to the caller, if it is at least of the level that the caller wants. */
  get log(): (level: LogLevel, data: unknown, logger?: string) => Promise<void> {
    return (level, data, logger) => {
      // thrown synchronously: an unhandled rejection would end the process
      const params = logParams({ level, data, logger }, this.caller.logLevel)
      if (!params) return told
      const most = this.#request.limits?.maxLogMessagesPerSecondPerCall ?? unlimited
      this.#logRate ??= new MessageRate(most)
      const sent = this.#logRate.next()
      if (sent === 'yes') return this.#tell('notifications/message', params)
      if (sent === 'first') void this.#tell('notifications/message', leftOut(level, most)).catch(() => {})
      return this.#logRate.turn ?? told
    }
  }

  /** Asks the user to fill in a form; rejects with code `Declined` when they will not. */
  get elicit(): <Schema extends AnySchema>(
    message: string,
    schema: Schema,
    options?: AskOptions,
  ) => Promise<SchemaOutput<Schema>> {
    return (message, schema, options) => elicit(this.#request.input, { message, schema, options })
  }

  /** Asks the user to visit a page; resolves when they agreed to, rejects with code `Declined` when they will not. */
  get elicitUrl(): (message: string, url: string | URL, options?: AskOptions) => Promise<void> {
    return (message, url, options) => elicitUrl(this.#request.input, { message, url, options })
  }

  /** Asks the client's model for a message. */
  get sample(): (request: SamplingRequest, options?: AskOptions) => Promise<SamplingResult> {
    return (request, options) => sample(this.#request.input, request, options)
  }

  /** The roots of the client. */
  get roots(): (options?: AskOptions) => Promise<readonly Root[]> {
    return async (options) => {
      const key = questionKey('Cannot ask for roots', options)
      return (await this.#request.input.ask('roots/list', {}, { key })).roots as readonly Root[]
    }
  }

  /** Runs a side effect at most once per call, even when the call is run again after asking for input. */
  get once(): <Value>(key: string, run: () => Value | Promise<Value>, options?: OnceOptions) => Promise<Value> {
    return (key, run, options) => {
      refuseUnknownOptions('Cannot run a side effect once', options, onceOptions)
      return this.#request.input.once(key, run, options)
    }
  }

  /** Ends the HTTP response while the work goes on, where the client can resume it; elsewhere does nothing. */
  get disconnect(): () => void {
    return () => this.#request.incoming.release()
  }

  // notifications are not queued for a handler that does not await them
  #tell(method: string, params: Fields): Promise<void> {
    try {
      return this.#request.input.tell(method, params) ?? told
    } catch (error) {
      return Promise.reject(error)
    }
  }
}

const told = Promise.resolve()
const unlimited = Number.POSITIVE_INFINITY
const onceOptions = { repeatable: true } as const satisfies KnownOptions<OnceOptions>

/** The second argument of a resource handler: the context, and the URI that was read. */
export class ReadContext extends Context {
  readonly uri: string

  constructor(request: ServerRequest) {
    super(request)
    this.uri = (request.params as Fields & { uri: string }).uri
  }
}
