/** Things that are remembered of one server; it may say more that cannot be used. */
const maxRemembered = 100
/** Characters of each that are kept. */
const maxChars = 500

/** Parts of a server's answers that were unusable and left out, each once, since it was last started. */
export class UnusableAnswers {
  readonly #all = new Set<string>()
  #more = 0

  /** Takes a warning of the connection; those that are about something else are not kept. */
  note(warning: string): void {
    if (!warning.startsWith('Left out ')) return
    const text = warning.slice(0, maxChars)
    if (this.#all.has(text)) return
    if (this.#all.size < maxRemembered) this.#all.add(text)
    else this.#more += 1
  }

  get size(): number {
    return this.#all.size
  }

  /** Each, in the order they came. */
  get all(): readonly string[] {
    return [...this.#all]
  }

  /** In one line, for a person; undefined when there is nothing. */
  get says(): string | undefined {
    const [first, ...others] = this.#all
    if (first === undefined) return undefined
    const more = others.length + this.#more
    return more === 0 ? first : `${first}; and ${more} more, see its status`
  }

  clear(): void {
    this.#all.clear()
    this.#more = 0
  }
}
