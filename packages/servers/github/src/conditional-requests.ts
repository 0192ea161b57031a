/** An answer and the mark by which GitHub says that it has not changed. */
interface KeptAnswer<Answer> {
  readonly etag: string
  readonly answer: Answer
  readonly bytes: number
}

/** Answers that are asked for again by their mark; an unchanged one costs nothing of the rate limit. */
export class KeptAnswers<Answer extends { readonly data?: unknown }> {
  readonly #maxBytes: number
  readonly #answers = new Map<string, KeptAnswer<Answer>>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: string): KeptAnswer<Answer> | undefined {
    return this.#answers.get(key)
  }

  /** Keeps an answer that has a mark; those that were kept first go first. */
  keep(key: string, etag: string | undefined, answer: Answer): void {
    this.#drop(key)
    const bytes = etag === undefined ? 0 : (JSON.stringify(answer.data) ?? '').length * 2
    if (etag === undefined || bytes > this.#maxBytes / 4) return
    this.#answers.set(key, { etag, answer, bytes })
    this.#bytes += bytes
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#answers.get(key)?.bytes ?? 0
    this.#answers.delete(key)
  }
}
