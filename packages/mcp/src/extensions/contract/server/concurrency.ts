import { type AnySchema, adapt } from '../../../schema/adapter.ts'
import { canonicalJson } from '../../../wire/canonical-json.ts'
import { InternalError, McpError, RpcError } from '../../../wire/errors.ts'
import { type Fields, isObject } from '../../../wire/messages.ts'
import { didYouMean } from '../../../wire/near-name.ts'
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

/** Refuses turns by an argument that a tool does not take: all of its calls would have the same one, which is none. */
export function checkTurnArguments(tool: string, concurrency: Concurrency | undefined, definition: Fields): void {
  // a relayed tool was checked by its author
  if (mayOverlap(concurrency) || concurrency === 'serial' || 'inputSchema' in definition) return
  const taken = argumentsOf(definition.input as AnySchema | undefined)
  const stray = taken && (concurrency as { by: readonly string[] }).by.find((name) => !taken.includes(name))
  if (stray !== undefined)
    throw new McpError(
      'Misuse',
      `Cannot add tool "${tool}": "concurrency" is by "${stray}", and the tool takes no such argument${didYouMean(stray, taken ?? [])}`,
    )
}

/** The arguments that a schema names; undefined where it may take others, or where that is not known at once. */
function argumentsOf(input: AnySchema | undefined): readonly string[] | undefined {
  if (input === undefined) return []
  try {
    const json = adapt(input, { trusted: true }).input()
    if (json instanceof Promise) return void json.catch(() => {})
    const { properties, additionalProperties } = json
    const isOpen = additionalProperties !== undefined && additionalProperties !== false
    return isObject(properties) && !isOpen && !combining.some((word) => word in json)
      ? Object.keys(properties)
      : undefined
  } catch {
    // what is wrong with the schema is told where it is used
    return undefined
  }
}

const combining = ['allOf', 'anyOf', 'oneOf', '$ref', 'if', 'patternProperties']

/** True if any calls of a tool may run at the same time. */
export function mayOverlap(concurrency: Concurrency | undefined): boolean {
  return concurrency === undefined || concurrency === 'parallel'
}

/** The key that calls of a tool share to run one after the other; undefined where any may overlap. */
export function turnKey(tool: string, concurrency: Concurrency | undefined, input: unknown): string | undefined {
  if (concurrency === undefined || concurrency === 'parallel') return undefined
  if (concurrency === 'serial') return tool
  const values = concurrency.by.map((name) => (input as Fields | undefined)?.[name] ?? null)
  return `${tool} ${canonicalJson(values)}`
}
