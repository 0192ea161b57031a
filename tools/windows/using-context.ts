/**
 * Disposes of resources at the end of a block, for an engine that does not know `using`: the compiler calls this, and the
 * names of its members are the compiler's.
 */
function usingContext() {
  const disposals: (() => unknown)[] = []
  const errors: unknown[] = []
  let isAsync = false
  const ended = () => {
    const [first, ...later] = errors
    if (later.length > 0) throw new AggregateError(errors, `Cannot dispose of everything: ${later.join(', ')}`)
    if (errors.length > 0) throw first
  }
  const dispose = () => {
    for (const disposal of disposals.reverse()) attempt(disposal, errors)
    ended()
  }
  const disposeAsync = async () => {
    for (const disposal of disposals.reverse()) await attempt(disposal, errors)?.catch((error) => errors.push(error))
    ended()
  }
  return {
    u<T extends Disposable | null | undefined>(value: T): T {
      if (value) disposals.push(() => value[Symbol.dispose]())
      return value
    },
    a<T extends Partial<AsyncDisposable & Disposable> | null | undefined>(value: T): T {
      isAsync = true
      if (value) disposals.push(() => (value[Symbol.asyncDispose] ?? value[Symbol.dispose])?.call(value))
      return value
    },
    /** The error of the block. */
    set e(error: unknown) {
      errors.push(error)
    },
    d: () => (isAsync ? disposeAsync() : dispose()),
  }
}

function attempt(disposal: () => unknown, errors: unknown[]): Promise<unknown> | undefined {
  try {
    const pending = disposal()
    return pending instanceof Promise ? pending : undefined
  } catch (error) {
    errors.push(error)
    return
  }
}

// biome-ignore lint/style/noDefaultExport: the compiler takes the default export
export { usingContext as default }
