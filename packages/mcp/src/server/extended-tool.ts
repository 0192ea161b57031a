import type { ServerRequest } from '../dialects/dialect.ts'
import type { Fields } from '../wire/messages.ts'
import type { Context } from './context.ts'
import type { ServerPart } from './extension.ts'

/** The work of extensions after a handler: nothing is allocated or awaited where they have nothing to do. */
export interface AfterHandler {
  /** The result with what extensions add to it. */
  finished(request: ServerRequest, result: Fields): Fields
  /** Tells extensions what a handler threw; what it returns is to be awaited. */
  failed(request: ServerRequest, error: unknown): Promise<void> | undefined
}

/** The work of extensions in the calls of tools, the same for every tool of a server. */
export interface ExtendedTool {
  /** The class of contexts with the members of the extensions. */
  readonly Context: typeof Context
  readonly after: AfterHandler | undefined
}

/** Collects the work of extensions after a handler, the innermost first; undefined where there is none. */
export function afterHandler(parts: readonly ServerPart[]): AfterHandler | undefined {
  const inwards = parts.filter(({ finished, failed }) => finished || failed).reverse()
  if (inwards.length === 0) return undefined
  const finishing = inwards.flatMap(({ finished }) => finished ?? [])
  const [only] = finishing
  return {
    finished:
      only && finishing.length === 1
        ? only
        : (request, result) => finishing.reduce((told, finished) => finished(request, told), result),
    failed(request, error) {
      const pending = inwards.map((part) => part.failed?.(request, error)).filter((each) => each !== undefined)
      return pending.length === 0 ? undefined : Promise.all(pending).then(() => {})
    },
  }
}

/** Passes the outcome of a handler through what extensions do after it. */
export function withAfter<Outcome extends Fields>(
  after: AfterHandler | undefined,
  request: ServerRequest,
  run: () => Promise<Outcome> | Outcome,
): Promise<Outcome> | Outcome {
  if (!after) return run()
  const finish = (result: Outcome): Outcome => after.finished(request, result) as Outcome
  const fail = async (error: unknown): Promise<never> => {
    await after.failed(request, error)
    throw error
  }
  let outcome: Promise<Outcome> | Outcome
  try {
    outcome = run()
  } catch (error) {
    return fail(error)
  }
  return outcome instanceof Promise ? outcome.then(finish, fail) : finish(outcome)
}
