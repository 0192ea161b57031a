import { Slots } from '@trunkline/base/slots'
import { canonicalJson } from '@trunkline/mcp'
import { copyKey, type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { ServerSpec } from './server-spec.ts'
import type { LogLine } from './stderr-ring.ts'
import { Upstream } from './upstream.ts'
import { UpstreamError } from './upstream-error.ts'
import type { UpstreamParts } from './upstream-parts.ts'
import type { UpstreamStatus } from './upstream-status.ts'

export interface ServerTableOptions {
  readonly connecting: UpstreamParts['connecting']
  /** Servers that start at the same time. @default 4 */
  readonly maxStarts?: number
  /** Servers that wait for a place to start; more than real configurations have. @default 10_000 */
  readonly maxWaitingStarts?: number
  /** Servers that are no longer wanted and have calls under way; beyond it the oldest is ended with its calls. @default 16 */
  readonly maxRetiring?: number
  /** Milliseconds that such calls may take. @default 600_000 */
  readonly retireMs?: number
  /** True if a caller watches the offers of a server, or of a copy of one. @default false */
  isWatched?(server: ServerKey): boolean
  onState?(status: UpstreamStatus): void
  onLog?(server: ServerKey, lines: readonly LogLine[]): void
  /** Called when a server sends more than it may, at most once a minute. */
  onThrottled?(server: ServerKey, why: string): void
  /** Called when a server, or a copy of one, is not there any more. */
  onGone?(server: ServerKey): void
}

const defaults = {
  maxStarts: 4,
  maxWaitingStarts: 10_000,
  maxRetiring: 16,
  retireMs: 600_000,
} as const satisfies Partial<ServerTableOptions>

/** Copies of servers for single callers; one that is not used ends by itself, and is forgotten when there are more. */
const maxCopies = 64

/** Every server of the host. */
export class ServerTable {
  readonly #upstreams = new Map<ServerKey, Upstream>()
  /** Copies of servers for single callers, in the order of their last use. */
  readonly #copies = new Map<ServerKey, Upstream>()
  /** Servers that only finish the calls under way, oldest first. */
  readonly #retiring = new Set<Upstream>()
  readonly #options: ServerTableOptions
  readonly #starts: Slots

  constructor(options: ServerTableOptions) {
    this.#options = options
    const { maxStarts = defaults.maxStarts, maxWaitingStarts = defaults.maxWaitingStarts } = options
    this.#starts = new Slots(maxStarts, maxWaitingStarts)
  }

  get maxStarts(): number {
    return this.#starts.most
  }

  /** Number of servers that start at the same time, from now on. */
  set maxStarts(most: number) {
    this.#starts.most = most
  }

  get names(): readonly ServerKey[] {
    return [...this.#upstreams.keys()]
  }

  /** Tells every server that it would get other roots now, as far as its revision can be told. */
  tellRootsChanged(): void {
    for (const { connection } of [...this.#upstreams.values(), ...this.#copies.values()]) {
      // which roots a server gets is decided when it asks; one that is gone asks when it is back
      void connection?.setRoots([]).catch(() => {})
    }
  }

  get(name: ServerKey): Upstream | undefined {
    return this.#upstreams.get(name)
  }

  get status(): readonly UpstreamStatus[] {
    return [...this.#upstreams.values()].map((upstream) => upstream.status)
  }

  /** The processes of the servers that run, copies and those that finish their calls among them. */
  get pids(): ReadonlySet<number> {
    const all = [...this.#upstreams.values(), ...this.#copies.values(), ...this.#retiring]
    return new Set(all.flatMap(({ status: { pid } }) => pid ?? []))
  }

  /** A server or a copy of one, by its name. */
  find(name: ServerKey): Upstream | undefined {
    return this.#upstreams.get(name) ?? this.#copies.get(name)
  }

  /** The copy of a server that a caller has for itself; the one that was not used longest makes room for another. */
  copy(key: ServerKey, caller: string, project?: string): Upstream {
    const base = this.#upstreams.get(key)
    if (!base) throw new Error(`Cannot find server "${key}": no such server is configured`)
    const name = copyKey(key, caller)
    const known = this.#copies.get(name)
    if (!known) this.#makeRoom(key)
    const copy = known ?? this.#start(ofCopy(base.spec, name, project))
    this.#copies.delete(name)
    this.#copies.set(name, copy)
    return copy
  }

  /** Number of copies for single callers. */
  get copies(): number {
    return this.#copies.size
  }

  #makeRoom(key: ServerKey): void {
    if (this.#copies.size < maxCopies) return
    const first = [...this.#copies.values()].find(({ status }) => status.calls === 0)
    if (!first) {
      const server = serverNameOf(key)
      const why = `Cannot use server "${server}": ${maxCopies} callers use copies of servers already`
      throw new UpstreamError(server, 'too busy', why)
    }
    this.#copies.delete(first.name)
    this.#options.onGone?.(first.name)
    void first.stop('another caller needed its place').catch(() => {})
  }

  /** Runs exactly these servers: one that is started as before goes on, with the limits that count now. */
  async apply(specs: readonly ServerSpec[]): Promise<void> {
    const wanted = new Map(specs.map((spec) => [spec.name, spec]))
    const gone = [...this.#upstreams.values()].filter(({ spec }) => !isStartedAlike(spec, wanted.get(spec.name)))
    for (const { name } of gone) {
      this.#upstreams.delete(name)
      this.#options.onGone?.(name)
    }
    const orphans = gone.flatMap(({ name }) => this.#copiesOf(name))
    for (const spec of specs) {
      const known = this.#upstreams.get(spec.name)
      if (known) this.#adjust(known, spec)
      else this.#upstreams.set(spec.name, this.#start(spec))
    }
    for (const { name } of orphans) {
      this.#copies.delete(name)
      this.#options.onGone?.(name)
    }
    await Promise.all([...gone, ...orphans].map((upstream) => this.#retire(upstream)))
  }

  #copiesOf(name: ServerKey): readonly Upstream[] {
    return [...this.#copies.values()].filter((copy) => copy.name.startsWith(copyKey(name, '')))
  }

  #adjust(upstream: Upstream, spec: ServerSpec): void {
    if (isSame(upstream.spec, spec)) return
    upstream.adjust(spec)
    for (const copy of this.#copiesOf(spec.name)) copy.adjust(ofCopy(spec, copy.name, copy.spec.project))
  }

  /** Number of servers that only finish the calls under way. */
  get retiring(): number {
    return this.#retiring.size
  }

  /** Ends a server; one with calls under way ends in the background. */
  async #retire(upstream: Upstream): Promise<void> {
    const why = 'its configuration changed'
    if (upstream.status.calls === 0) return upstream.stop(why)
    const { maxRetiring = defaults.maxRetiring, retireMs = defaults.retireMs } = this.#options
    this.#retiring.add(upstream)
    void upstream
      .retire(why, retireMs)
      .catch(() => {})
      .finally(() => this.#retiring.delete(upstream))
    const [oldest] = this.#retiring
    if (this.#retiring.size <= maxRetiring || !oldest) return
    this.#retiring.delete(oldest)
    await oldest.stop(why)
  }

  async close(): Promise<void> {
    const all = [...this.#upstreams.values(), ...this.#copies.values(), ...this.#retiring]
    this.#upstreams.clear()
    this.#copies.clear()
    this.#retiring.clear()
    await Promise.all(all.map((upstream) => upstream.stop('the host is shutting down')))
  }

  #start(spec: ServerSpec): Upstream {
    const { connecting, isWatched, onState, onLog, onThrottled } = this.#options
    let own: Upstream | undefined
    own = new Upstream(spec, {
      starts: this.#starts,
      connecting,
      ...(isWatched && { isWatched: () => isWatched(spec.name) }),
      // a replaced server reports no states any more
      onState: (status) => {
        const current = this.find(spec.name)
        if (current === undefined || own === undefined || current === own) onState?.(status)
      },
      ...(onLog && { onLog: (lines) => onLog(spec.name, lines) }),
      ...(onThrottled && { onThrottled: (why) => onThrottled(spec.name, why) }),
    })
    return own
  }
}

/** Settings that a running server takes over without a restart; the place of its configuration is only for people. */
const adjustable = [
  ...['source', 'eager', 'startMs', 'callMs', 'idleMs', 'maxCalls', 'maxMemoryBytes'],
  ...['repeatable', 'maxRepeatsPerMinute', 'maxRequestsPerSecond', 'maxNotificationsPerSecond'],
] as readonly (keyof ServerSpec)[]

function isStartedAlike(spec: ServerSpec, other: ServerSpec | undefined): boolean {
  return other !== undefined && isSame(withoutAdjustable(spec), withoutAdjustable(other))
}

function withoutAdjustable(spec: ServerSpec): Partial<ServerSpec> {
  return Object.fromEntries(Object.entries(spec).filter(([key]) => !adjustable.includes(key as keyof ServerSpec)))
}

/** True if two are equal, in whatever order their keys were written. */
function isSame(one: object, other: object): boolean {
  return canonicalJson(one) === canonicalJson(other)
}

function ofCopy(spec: ServerSpec, name: ServerKey, project: string | undefined): ServerSpec {
  return { ...spec, name, eager: false, ...(project !== undefined && { project }) }
}
