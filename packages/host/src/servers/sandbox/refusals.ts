/** Messages of programs that something may not be written, with the file if they name it. */
const refusals = [
  /ERR_ACCESS_DENIED: (?<what>\w+), '(?<path>[^'\n]*)'/,
  /(?:EROFS|EACCES|EPERM): [^,\n]*, (?<what>\w+) '(?<path>[^'\n]*)'/,
  /\[Errno (?:13|30)\] [^:\n]*: '(?<path>[^'\n]*)'/,
  /(?<path>\/[^\s:'"]*)['"]?: (?:Read-only file system|Permission denied)/i,
  /(?:Read-only file system|ERR_ACCESS_DENIED|restricted\. Use --allow-[\w-]+)/i,
] as const

/** Refusals that a text reports, once each, in words for a person; a sandbox is the reason for most of these. */
export function refusalsIn(text: string): readonly string[] {
  const found = text.split('\n').flatMap((line) => {
    const match = refusals.map((pattern) => pattern.exec(line)).find((one) => one !== null)
    return match ? [describe(match)] : []
  })
  return [...new Set(found)]
}

function describe(match: RegExpExecArray): string {
  const { what, path } = match.groups ?? {}
  if (path === undefined) return match[0]
  return what === undefined ? `"${path}"` : `${what} "${path}"`
}

/** The refusals that name something, if there are any: an error often comes twice, once without its subject. */
export function named(refusals: readonly string[]): readonly string[] {
  const telling = refusals.filter(isNamed)
  return telling.length > 0 ? telling : refusals
}

/** True if a refusal names its subject. */
export function isNamed(refusal: string): boolean {
  return refusal.endsWith('"')
}

/** More would say nothing new. */
const maxRefusals = 20

/** Refusals of one server's sandbox, the newest last. */
export class Refusals {
  #all: { readonly number: number; readonly what: string }[] = []
  #count = 0
  readonly #onNext = new Set<() => void>()

  /** Number of refusals so far. */
  get count(): number {
    return this.#count
  }

  /** Number of waiters for another one. */
  get waiting(): number {
    return this.#onNext.size
  }

  get last(): string | undefined {
    return named(this.#all.map(({ what }) => what)).at(-1)
  }

  /** Resolves when there are more than a count, or after a while. */
  async moreThan(count: number, waitMs: number): Promise<void> {
    if (this.#count > count) return
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#onNext.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, waitMs)
      this.#onNext.add(wake)
    })
  }

  /** Looks through lines that the program wrote. */
  note(text: string): void {
    const before = this.#count
    for (const what of refusalsIn(text)) {
      this.#count += 1
      this.#all = [...this.#all.filter((one) => one.what !== what), { number: this.#count, what }].slice(-maxRefusals)
    }
    if (this.#count === before) return
    for (const wake of this.#onNext) wake()
  }

  /** Refusals since a count was taken, as far as they are kept. */
  since(count: number): readonly string[] {
    return this.#all.filter(({ number }) => number > count).map(({ what }) => what)
  }
}
