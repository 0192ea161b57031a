import type { Store } from '../store/store.ts'
import { TaintHeirTable } from '../store/tables/taint-table.ts'

/** Links between principals that are kept; beyond it the oldest is forgotten. */
const maxLinks = 1_000
/** Precision of a link's time; a finer one would be a write for every connection. */
const noteEveryMs = 60_000

/** Inheritance of taints between principals: from the one whose process started the other. */
export class TaintHeirs {
  readonly #store: Store
  readonly #table: TaintHeirTable
  readonly #maxAgeMs: number
  // by heir, then by ancestor, with when a connection last showed it
  readonly #ancestors = new Map<string, Map<string, number>>()

  constructor(store: Store, maxAgeMs: number) {
    this.#store = store
    this.#table = new TaintHeirTable(store)
    this.#maxAgeMs = maxAgeMs
    this.#read()
  }

  /** Notes that a principal was started by processes of others; resolves when a restart would still know. */
  async add(heir: string, ancestors: ReadonlySet<string>): Promise<void> {
    const at = Date.now()
    const known = this.#ancestors.get(heir)
    const news = [...ancestors].filter((one) => one !== heir && at - (known?.get(one) ?? 0) >= noteEveryMs)
    if (news.length === 0) return
    await this.#store.batch(() => {
      for (const ancestor of news) this.#table.put({ heir, ancestor, at })
      this.#table.prune(at - this.#maxAgeMs, maxLinks)
      this.#read()
    })
  }

  /** Principals that one inherits from, directly or through others. */
  ancestorsOf(principal: string, since: number): ReadonlySet<string> {
    const found = new Set<string>()
    if (this.#ancestors.size === 0) return found
    const open = [principal]
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      for (const [ancestor, at] of this.#ancestors.get(one) ?? []) {
        if (at <= since || ancestor === principal || found.has(ancestor)) continue
        found.add(ancestor)
        open.push(ancestor)
      }
    }
    return found
  }

  /** Removes the inheritance of one principal, or of all. */
  async forget(principal?: string): Promise<void> {
    await this.#store.durable(() => this.#table.remove(principal))
    this.#read()
  }

  #read(): void {
    this.#ancestors.clear()
    for (const { heir, ancestor, at } of this.#table.all()) {
      const links = this.#ancestors.get(heir) ?? new Map<string, number>()
      links.set(ancestor, at)
      this.#ancestors.set(heir, links)
    }
  }
}
