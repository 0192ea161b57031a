import { pointerTokens } from './pointer.ts'

/** Values that steps can refer to by name: of the steps before them, and before the steps they stand in. */
export class VisibleSteps<Value> {
  readonly #known = new Map<string, Value>()
  readonly #outer: VisibleSteps<Value> | undefined

  constructor(outer?: VisibleSteps<Value>) {
    this.#outer = outer
  }

  set(name: string, value: Value): void {
    this.#known.set(name, value)
  }

  has(name: string): boolean {
    return this.#known.has(name) || (this.#outer?.has(name) ?? false)
  }

  get(name: string): Value | undefined {
    return this.#known.has(name) ? this.#known.get(name) : this.#outer?.get(name)
  }

  names(): readonly string[] {
    return [...this.#known.keys(), ...(this.#outer?.names() ?? [])]
  }
}

/** The name that a pointer begins with, and the way from there. */
export function splitPointer(pointer: string): { readonly name: string; readonly rest: readonly string[] } {
  const [name = '', ...rest] = pointerTokens(pointer) ?? []
  return { name, rest }
}
