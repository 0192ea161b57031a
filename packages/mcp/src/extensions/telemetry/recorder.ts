import type { Attributes, Context, Histogram, Link, MeterProvider, Span, Tracer } from '@opentelemetry/api'
import { type Description, metricAttributes } from './attributes.ts'
import type { Api } from './opentelemetry-api.ts'
import { outcomeOfError, type RequestOutcome } from './request-outcome.ts'

const scope = '@trunkline/mcp'

const duration = {
  unit: 's',
  description: 'How long requests took',
  advice: { explicitBucketBoundaries: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] },
}

/** One request to record. */
export interface Operation extends Description {
  /** The parent context. */
  readonly parent: Context
  readonly links?: Link[]
  /** The outcome of a result. */
  ending(result: object): RequestOutcome
}

/** Records a span and the duration of each request. */
export class Recorder {
  readonly api: Api
  readonly #side: 'server' | 'client'
  readonly #tracer: Tracer
  #meters: MeterProvider | undefined
  #durations: Histogram | undefined

  constructor(api: Api, side: 'server' | 'client') {
    this.api = api
    this.#side = side
    this.#tracer = api.trace.getTracer(scope)
  }

  /** Runs a request inside a span. */
  record<Result extends object>(
    operation: Operation,
    run: (inside: Context, span: Span) => Promise<Result> | Result,
  ): Promise<Result> | Result {
    const { name, attributes, parent, links = [] } = operation
    const { trace, context, SpanKind } = this.api
    const kind = this.#side === 'server' ? SpanKind.SERVER : SpanKind.CLIENT
    const started = performance.now()
    const span = this.#tracer.startSpan(name, { kind, attributes, links }, parent)
    const end = (ending: RequestOutcome): void => {
      this.#finish(span, ending)
      this.#count(performance.now() - started, attributes, ending)
    }
    const done = (result: Result): Result => {
      end(operation.ending(result))
      return result
    }
    const failed = (error: unknown): never => {
      end(outcomeOfError(error))
      throw error
    }
    const inside = trace.setSpan(parent, span)
    let outcome: Promise<Result> | Result
    try {
      outcome = context.with(inside, run, undefined, inside, span)
    } catch (error) {
      return failed(error)
    }
    return outcome instanceof Promise ? outcome.then(done, failed) : done(outcome)
  }

  #finish(span: Span, { attributes, message }: RequestOutcome): void {
    if ('error.type' in attributes) {
      span.setAttributes(attributes)
      span.setStatus({ code: this.api.SpanStatusCode.ERROR, ...(message !== undefined && { message }) })
    }
    span.end()
  }

  #count(ms: number, attributes: Attributes, ending: RequestOutcome): void {
    const counted = { ...metricAttributes(attributes, ending.isRefused), ...ending.attributes }
    this.#histogram().record(ms / 1_000, counted)
  }

  // looked up each time, because a provider may be registered later
  #histogram(): Histogram {
    const meters = this.api.metrics.getMeterProvider()
    if (this.#durations && this.#meters === meters) return this.#durations
    this.#meters = meters
    this.#durations = meters.getMeter(scope).createHistogram(`mcp.${this.#side}.operation.duration`, duration)
    return this.#durations
  }
}
