import { quantile } from '../report/statistics.ts'

const kept = 1 << 18

/** The newest latencies of a round, in milliseconds. */
export class Latencies {
  readonly #values = new Float64Array(kept)
  #count = 0

  add(milliseconds: number): void {
    this.#values[this.#count % kept] = milliseconds
    this.#count += 1
  }

  get count(): number {
    return this.#count
  }

  /** The median and the slowest hundredth. */
  summary(): { readonly p50Ms: number; readonly p99Ms: number } {
    const sorted = this.#values.subarray(0, Math.min(this.#count, kept)).sort()
    return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) }
  }
}
