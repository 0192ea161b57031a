import { type Reply, reply } from '@trunkline/mcp'
import { contractId, type RetryHint } from '@trunkline/mcp/contract'

/** The reasons that a bundled server gives; no others. */
export const problemCodes = [
  'not_signed_in',
  'missing_scope',
  'rate_limited',
  'not_found',
  'conflict',
  'refused',
  'unavailable',
] as const

/** One of {@link problemCodes}. */
export type ProblemCode = (typeof problemCodes)[number]

/** Details of a problem beside its sentence. */
export interface ProblemDetails {
  /** Advice for the caller. */
  readonly next?: string
  /** Up to three things that are there and have a similar name. */
  readonly nearest?: readonly string[]
  /** The scope that the account lacks. */
  readonly scope?: string
  /** Milliseconds to wait before the next try. */
  readonly retryAfterMs?: number
}

/** Says to a caller why something was not done; the server itself is well. */
export class ToolProblem extends Error {
  override readonly name: string = 'ToolProblem'
  readonly code: ProblemCode
  readonly details: ProblemDetails

  constructor(code: ProblemCode, message: string, details: ProblemDetails = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** A result that tells a problem: one sentence with what to do, and the same as `structuredContent.error`. */
export function problemReply({ code, message, details }: ToolProblem): Reply {
  const { next, nearest, retryAfterMs } = details
  const error = { code, message, ...details, ...(nearest && { nearest: nearest.slice(0, 3) }) }
  const hint = hintOf(code, retryAfterMs)
  const lines = [
    message,
    ...(nearest?.length ? [`Nearest: ${nearest.slice(0, 3).join(', ')}`] : []),
    ...(next ? [next] : []),
  ]
  return reply(lines.join('\n'), {
    isError: true,
    structured: { error },
    ...(hint && { meta: { [contractId]: { retry: hint } } }),
  })
}

/** A handler of a tool whose problems become results; other errors go on to the library. */
export function explained<Input, Ctx, Result>(
  handler: (input: Input, ctx: Ctx) => Promise<Result>,
): (input: Input, ctx: Ctx) => Promise<Result | Reply> {
  return async (input, ctx) => {
    try {
      return await handler(input, ctx)
    } catch (error) {
      if (error instanceof ToolProblem) return problemReply(error)
      throw error
    }
  }
}

/** The names that resemble a wanted one most, at most three. */
export function nearestNames(wanted: string, names: Iterable<string>): readonly string[] {
  const ranked = Array.from(names, (name) => ({ name, steps: editSteps(wanted, name) }))
    .filter(({ name, steps }) => steps <= Math.max(2, Math.min(wanted.length, name.length) / 2))
    .sort((one, other) => one.steps - other.steps)
  return ranked.slice(0, 3).map(({ name }) => name)
}

function hintOf(code: ProblemCode, afterMs: number | undefined): RetryHint | undefined {
  const after = afterMs === undefined ? {} : { afterMs }
  if (code === 'rate_limited') return { class: 'rateLimited', ...after }
  if (code === 'conflict') return { class: 'conflict' }
  return code === 'unavailable' && afterMs !== undefined ? { class: 'transient', ...after } : undefined
}

// longer names are compared by their beginning, so that the cost stays small
const comparedChars = 64

function editSteps(one: string, other: string): number {
  const [short, long] = [one.slice(0, comparedChars), other.slice(0, comparedChars)]
  let row = Array.from({ length: long.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...short].entries()) {
    const next = [at + 1]
    for (let column = 1; column <= long.length; column++) {
      const change = (row[column - 1] ?? 0) + (long[column - 1] === letter ? 0 : 1)
      next.push(Math.min(change, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[long.length] ?? 0
}
