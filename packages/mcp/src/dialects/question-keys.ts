import { canonicalJson } from '../wire/canonical-json.ts'
import type { ClientQuestion } from './dialect.ts'
import { shortHash } from './stateless/short-hash.ts'

/** Makes the keys of the questions of one call: unique, and the same when the handler runs again. */
export class QuestionKeys {
  readonly #used = new Set<string>()

  /** The number of keys. */
  get size(): number {
    return this.#used.size
  }

  /** The key of a question. */
  // derived from its name or its content, and from how often the same was asked before
  keyOf({ method, params: { _meta, ...asked } }: ClientQuestion, name?: string): string {
    const key = name ?? `${method.split('/')[0]}-${shortHash(`${method} ${canonicalJson(asked)}`)}`
    let unused = key
    for (let times = 1; this.#used.has(unused); times++) unused = `${key}-${times}`
    this.#used.add(unused)
    return unused
  }
}
