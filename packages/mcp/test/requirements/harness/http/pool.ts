import type { Host } from './host.ts'

/** Hosts that serve one test after another, by fixture. */
export class Pool<Served extends Host> {
  readonly #start: (fixture: string) => Promise<Served>
  readonly #idle = new Map<string, Served[]>()
  readonly #all = new Set<Served>()

  constructor(start: (fixture: string) => Promise<Served>) {
    this.#start = start
  }

  /** A host with no other client. */
  async take(fixture: string): Promise<Served> {
    return this.#idle.get(fixture)?.pop() ?? this.fresh(fixture)
  }

  /** A host that no client has talked to before. */
  async fresh(fixture: string): Promise<Served> {
    const host = await this.#start(fixture)
    this.#all.add(host)
    return host
  }

  /** Lets others have it. */
  give(fixture: string, host: Served): void {
    this.#idle.set(fixture, [...(this.#idle.get(fixture) ?? []), host])
  }

  /** Drops the hosts that wait now, so that they are not used again. */
  distrust(): void {
    this.#idle.clear()
  }

  async end(host: Served): Promise<void> {
    this.#all.delete(host)
    await host.close()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((host) => host.close()))
  }
}
