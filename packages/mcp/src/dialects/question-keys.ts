import { canonicalJson } from '../wire/canonical-json.ts'
import type { ClientQuestion } from './dialect.ts'
import { shortHash } from './stateless/short-hash.ts'

/** Names the questions of one call, each differently, and in the same way when the call is run again. */
export class QuestionKeys {
  readonly #used = new Set<string>()

  /** How many questions were named. */
  get size(): number {
    return this.#used.size
  }

  /** A name for a question. */
  // a question is known again by its name or by what it asks, and by how often the same was asked before
  keyOf({ method, params: { _meta, ...asked } }: ClientQuestion, name?: string): string {
    const key = name ?? `${method.split('/')[0]}-${shortHash(`${method} ${canonicalJson(asked)}`)}`
    let unused = key
    for (let times = 1; this.#used.has(unused); times++) unused = `${key}-${times}`
    this.#used.add(unused)
    return unused
  }
}
