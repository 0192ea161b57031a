import type { ServerSpec } from './server-spec.ts'
import { Slots } from './slots.ts'
import type { LogLine } from './stderr-ring.ts'
import { Upstream, type UpstreamParts, type UpstreamStatus } from './upstream.ts'

export interface ServerTableOptions {
  readonly connecting: UpstreamParts['connecting']
  /** Servers that start at the same time. @default 4 */
  readonly maxStarts?: number
  onState?(status: UpstreamStatus): void
  onLog?(server: string, lines: readonly LogLine[]): void
}

/** More servers than anybody has; they only wait for a place to start. */
const maxWaitingStarts = 10_000
const defaultMaxStarts = 4

/** Every server of the host. */
export class ServerTable {
  readonly #upstreams = new Map<string, Upstream>()
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

  /** Runs exactly these servers: a server whose description did not change is not touched. */
  async apply(specs: readonly ServerSpec[]): Promise<void> {
    const wanted = new Map(specs.map((spec) => [spec.name, spec]))
    const gone = [...this.#upstreams.values()].filter(({ spec }) => !isSame(spec, wanted.get(spec.name)))
    for (const { name } of gone) this.#upstreams.delete(name)
    for (const spec of specs) if (!this.#upstreams.has(spec.name)) this.#upstreams.set(spec.name, this.#start(spec))
    await Promise.all(gone.map((upstream) => upstream.stop('its configuration changed')))
  }

  async close(): Promise<void> {
    const all = [...this.#upstreams.values()]
    this.#upstreams.clear()
    await Promise.all(all.map((upstream) => upstream.stop('the host is shutting down')))
  }

  #start(spec: ServerSpec): Upstream {
    const { connecting, onState, onLog } = this.#options
    return new Upstream(spec, {
      starts: this.#starts,
      connecting,
      // one that was replaced speaks for nobody any more
      onState: (status) => {
        const current = this.#upstreams.get(spec.name)
        if (current === undefined || current.spec === spec) onState?.(status)
      },
      ...(onLog && { onLog: (lines) => onLog(spec.name, lines) }),
    })
  }
}

function isSame(spec: ServerSpec, other: ServerSpec | undefined): boolean {
  return JSON.stringify(spec) === JSON.stringify(other)
}
