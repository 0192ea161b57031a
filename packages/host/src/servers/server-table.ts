import { copyKey, serverNameOf } from './server-key.ts'
import type { ServerSpec } from './server-spec.ts'
import { Slots } from './slots.ts'
import type { LogLine } from './stderr-ring.ts'
import { Upstream, type UpstreamParts, type UpstreamStatus } from './upstream.ts'
import { UpstreamError } from './upstream-error.ts'

export interface ServerTableOptions {
  readonly connecting: UpstreamParts['connecting']
  /** Servers that start at the same time. @default 4 */
  readonly maxStarts?: number
  onState?(status: UpstreamStatus): void
  onLog?(server: string, lines: readonly LogLine[]): void
  /** Called when a server, or a copy of one, is not there any more. */
  onGone?(server: string): void
}

/** More servers than anybody has; they only wait for a place to start. */
const maxWaitingStarts = 10_000
const defaultMaxStarts = 4

/** Copies of servers for single callers; one that is not used ends by itself, and is forgotten when there are more. */
const maxCopies = 64

/** Every server of the host. */
export class ServerTable {
  readonly #upstreams = new Map<string, Upstream>()
  /** Copies of servers for single callers, in the order of their last use. */
  readonly #copies = new Map<string, Upstream>()
  readonly #options: ServerTableOptions
  readonly #starts: Slots

  constructor(options: ServerTableOptions) {
    this.#options = options
    this.#starts = new Slots(options.maxStarts ?? defaultMaxStarts, maxWaitingStarts)
  }

  /** How many servers start at the same time, from now on. */
  set maxStarts(most: number) {
    this.#starts.most = most
  }

  get names(): readonly string[] {
    return [...this.#upstreams.keys()]
  }

  get(name: string): Upstream | undefined {
    return this.#upstreams.get(name)
  }

  get status(): readonly UpstreamStatus[] {
    return [...this.#upstreams.values()].map((upstream) => upstream.status)
  }

  /** A server or a copy of one, by its name. */
  find(name: string): Upstream | undefined {
    return this.#upstreams.get(name) ?? this.#copies.get(name)
  }

  /** The copy of a server that a caller has for itself; the one that was not used longest makes room for another. */
  copy(key: string, caller: string, project?: string): Upstream {
    const base = this.#upstreams.get(key)
    if (!base) throw new Error(`Cannot find server "${key}": no such server is configured`)
    const name = copyKey(key, caller)
    const known = this.#copies.get(name)
    if (!known) this.#makeRoom(key)
    const copy = known ?? this.#start({ ...base.spec, name, eager: false, ...(project !== undefined && { project }) })
    this.#copies.delete(name)
    this.#copies.set(name, copy)
    return copy
  }

  /** How many copies for single callers there are. */
  get copies(): number {
    return this.#copies.size
  }

  #makeRoom(key: string): void {
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

  /** Runs exactly these servers: a server whose description did not change is not touched. */
  async apply(specs: readonly ServerSpec[]): Promise<void> {
    const wanted = new Map(specs.map((spec) => [spec.name, spec]))
    const gone = [...this.#upstreams.values()].filter(({ spec }) => !isSame(spec, wanted.get(spec.name)))
    for (const { name } of gone) {
      this.#upstreams.delete(name)
      this.#options.onGone?.(name)
    }
    for (const spec of specs) if (!this.#upstreams.has(spec.name)) this.#upstreams.set(spec.name, this.#start(spec))
    const orphans = [...this.#copies.values()].filter(({ name }) =>
      gone.some((one) => name.startsWith(copyKey(one.name, ''))),
    )
    for (const { name } of orphans) {
      this.#copies.delete(name)
      this.#options.onGone?.(name)
    }
    await Promise.all([...gone, ...orphans].map((upstream) => upstream.stop('its configuration changed')))
  }

  async close(): Promise<void> {
    const all = [...this.#upstreams.values(), ...this.#copies.values()]
    this.#upstreams.clear()
    this.#copies.clear()
    await Promise.all(all.map((upstream) => upstream.stop('the host is shutting down')))
  }

  #start(spec: ServerSpec): Upstream {
    const { connecting, onState, onLog } = this.#options
    return new Upstream(spec, {
      starts: this.#starts,
      connecting,
      // one that was replaced speaks for nobody any more
      onState: (status) => {
        const current = this.#upstreams.get(spec.name) ?? this.#copies.get(spec.name)
        if (current === undefined || current.spec === spec) onState?.(status)
      },
      ...(onLog && { onLog: (lines) => onLog(spec.name, lines) }),
    })
  }
}

function isSame(spec: ServerSpec, other: ServerSpec | undefined): boolean {
  return JSON.stringify(spec) === JSON.stringify(other)
}
