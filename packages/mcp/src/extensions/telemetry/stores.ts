import type { Attributes, Counter, Histogram, MeterProvider } from '@opentelemetry/api'
import type { ClusterStores, ClusterView, ProcessFacts } from '../../stores/cluster.ts'
import { type Api, loadApi } from './opentelemetry-api.ts'

const scope = '@trunkline/mcp'
const parts = ['sessions', 'events', 'limiter', 'proofs', 'presence', 'inbox', 'bell', 'tasks', 'effects'] as const
const sentAt = /,"sentAt":(\d+)\}$/

/**
 * Measures the stores of a cluster: how long their operations take, how late what processes tell each other is read, lost leases
 * and gaps in the log of changes. Does nothing where `@opentelemetry/api` is not installed.
 */
export function storeTelemetry<Stores extends ClusterStores>(stores: Stores): Stores {
  const meters = new StoreMeters(stores.engine)
  const measured = new Map<string | symbol, object>()
  for (const name of parts) {
    const part: object | undefined = stores[name]
    if (part) measured.set(name, measuredPart(name, part, meters))
  }
  return new Proxy(stores, {
    get: (target, name) => measured.get(name) ?? Reflect.get(target, name),
  })
}

/** A part of the stores whose methods are measured. */
function measuredPart(part: string, target: object, meters: StoreMeters): object {
  const methods = new Map<string | symbol, unknown>()
  return new Proxy(target, {
    get(_, name) {
      const found: unknown = methods.get(name) ?? Reflect.get(target, name)
      if (typeof found !== 'function' || methods.has(name)) return found
      const operation = `${part}.${String(name)}`
      const method = (...args: readonly unknown[]): unknown =>
        meters.measure(operation, prepared(operation, args), (given) => found.apply(target, given))
      methods.set(name, method)
      return method
    },
  })
}

/** Arguments of an operation; an entry for other processes says when it was sent, which those that do not measure ignore. */
function prepared(operation: string, args: readonly unknown[]): readonly unknown[] {
  const [epochs, entry] = args
  if (operation !== 'inbox.post' || typeof entry !== 'string' || !entry.endsWith('}')) return args
  return [epochs, `${entry.slice(0, -1)},"sentAt":${Date.now()}}`]
}

/** Instruments for the stores of one process. */
class StoreMeters {
  readonly #engine: string
  #api: Api | undefined
  #instruments: Instruments | undefined
  #generation: string | undefined
  /** Time at which the last beat that arrived was sent. */
  #beatAt: number | undefined

  constructor(engine: string) {
    this.#engine = engine
    void loadApi().then((api) => {
      this.#api = api
    })
  }

  /** Runs an operation and records how long it took, and what its outcome says. */
  measure(operation: string, args: readonly unknown[], run: (args: readonly unknown[]) => unknown): unknown {
    const began = performance.now()
    const done = (value: unknown): unknown => {
      this.#lasted(operation, began)
      this.#read(operation, { args, value, began })
      return value
    }
    const failed = (error: unknown): never => {
      this.#lasted(operation, began, { 'error.type': error instanceof Error ? error.name : '_OTHER' })
      throw error
    }
    try {
      const outcome = run(args)
      return outcome instanceof Promise ? outcome.then(done, failed) : done(outcome)
    } catch (error) {
      return failed(error)
    }
  }

  #lasted(operation: string, began: number, more: Attributes = {}): void {
    const seconds = (performance.now() - began) / 1_000
    const attributes = { 'mcp.store.engine': this.#engine, 'mcp.store.operation': operation, ...more }
    this.#histogram('mcp.server.store.duration')?.record(seconds, attributes)
  }

  #read(operation: string, { args, value, began }: Outcome): void {
    if (operation === 'inbox.take') this.#taken(value as readonly { readonly data: string }[])
    if (operation === 'presence.beat') this.#beat(args as [ProcessFacts, number], value as ClusterView, began)
    // the log keeps the last changes only
    const isLost = operation === 'events.after' && value === undefined && Number(args[1]) > 0
    if (isLost && /^changes-/.test(String(args[0]))) this.#count('mcp.server.change.gaps')
  }

  #taken(entries: readonly { readonly data: string }[]): void {
    for (const { data } of entries) {
      const sent = sentAt.exec(data)?.[1]
      if (sent === undefined) continue
      // clocks of two processes may differ
      const seconds = Math.max(0, Date.now() - Number(sent)) / 1_000
      const attributes = { 'mcp.store.engine': this.#engine }
      this.#histogram('mcp.server.inbox.lag')?.record(seconds, attributes)
    }
  }

  #beat([, leaseMs]: [ProcessFacts, number], { generation }: ClusterView, began: number): void {
    if (this.#beatAt !== undefined && began - this.#beatAt > leaseMs) this.#count('mcp.server.lease.lost')
    // another history of the engine: confirmed changes may be lost
    if (this.#generation !== undefined && this.#generation !== generation) this.#count('mcp.server.change.gaps')
    this.#beatAt = began
    this.#generation = generation
  }

  #count(name: string): void {
    const counters = this.#current()?.counters
    if (!counters) return
    const counter = counters.get(name) ?? this.#api?.metrics.getMeter(scope).createCounter(name)
    if (counter) counters.set(name, counter)
    counter?.add(1, { 'mcp.store.engine': this.#engine })
  }

  #histogram(name: string): Histogram | undefined {
    const histograms = this.#current()?.histograms
    if (!histograms) return undefined
    const histogram = histograms.get(name) ?? this.#api?.metrics.getMeter(scope).createHistogram(name, { unit: 's' })
    if (histogram) histograms.set(name, histogram)
    return histogram
  }

  // looked up each time, because a provider may be registered later
  #current(): Instruments | undefined {
    const provider = this.#api?.metrics.getMeterProvider()
    if (provider && this.#instruments?.provider !== provider)
      this.#instruments = { provider, histograms: new Map(), counters: new Map() }
    return this.#instruments
  }
}

/** Instruments of one provider, by name. */
interface Instruments {
  readonly provider: MeterProvider
  readonly histograms: Map<string, Histogram>
  readonly counters: Map<string, Counter>
}

interface Outcome {
  readonly args: readonly unknown[]
  readonly value: unknown
  readonly began: number
}
