import { canonicalJson } from '../../../wire/canonical-json.ts'
import { InternalError, RpcError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { Concurrency } from '../tool-terms.ts'

/** The calls of a tool that may not overlap: each waits for those that came before it. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>()
  readonly #maxWaiting: number
  #waiting = 0

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting
  }

  /** Runs a handler when its turn has come, in the order of arrival. */
  async run<Result>(turn: Turn, handler: () => Result | Promise<Result>): Promise<Result> {
    const { tool, key, signal } = turn
    const before = this.#last.get(key)
    if (before && this.#waiting >= this.#maxWaiting) {
      const message = `Cannot call tool "${tool}": ${this.#maxWaiting} calls are waiting for their turn`
      throw new RpcError(InternalError, message, { limit: this.#maxWaiting })
    }
    let finish = (): void => {}
    const done = new Promise<void>((resolve) => {
      finish = resolve
    })
    const own = Promise.all([before, done]).then(() => {})
    this.#last.set(key, own)
    try {
      if (before) await this.#waited(before)
      signal.throwIfAborted()
      return await handler()
    } finally {
      finish()
      void own.then(() => this.#last.get(key) === own && this.#last.delete(key))
    }
  }

  async #waited(before: Promise<void>): Promise<void> {
    this.#waiting++
    try {
      await before
    } finally {
      this.#waiting--
    }
  }
}

/** A call that has come and does not know its turn yet. */
export interface Arrival {
  /** Resolves when every call that came earlier knows its turn, or needs none. */
  readonly before: Promise<void> | undefined
  /** Lets the later ones have theirs. */
  settle(): void
}

/** The calls of each tool in the order of their arrival, until each knows its turn: some take longer to be checked. */
export class Arrivals {
  readonly #last = new Map<string, Promise<void>>()

  /** Notes the arrival of a call. */
  enter(tool: string): Arrival {
    const before = this.#last.get(tool)
    let settle = (): void => {}
    const done = new Promise<void>((resolve) => {
      settle = resolve
    })
    const own = Promise.all([before, done]).then(() => {
      if (this.#last.get(tool) === own) this.#last.delete(tool)
    })
    this.#last.set(tool, own)
    return { before, settle }
  }
}

interface Turn {
  readonly tool: string
  /** Calls with the same key run one after the other. */
  readonly key: string
  readonly signal: AbortSignal
}

/** Whether any calls of a tool may run at the same time. */
export function mayOverlap(concurrency: Concurrency | undefined): boolean {
  return concurrency === undefined || concurrency === 'parallel'
}

/** What calls of a tool have to have in common to run one after the other; undefined where any may overlap. */
export function turnKey(tool: string, concurrency: Concurrency | undefined, input: unknown): string | undefined {
  if (concurrency === undefined || concurrency === 'parallel') return undefined
  if (concurrency === 'serial') return tool
  const values = concurrency.by.map((name) => (input as Fields | undefined)?.[name] ?? null)
  return `${tool} ${canonicalJson(values)}`
}
