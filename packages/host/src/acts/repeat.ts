import { setTimeout as pause } from 'node:timers/promises'
import { matchesGlob } from '@trunkline/base/glob'
import { type Fields, TrunklineError } from '@trunkline/mcp'
import type { RetryHint } from '@trunkline/mcp/contract'
import type { Act } from '../act/act.ts'
import { contractParts } from '../relay/terms/given-terms.ts'
import { keepsContract } from '../relay/terms/terms-upstream.ts'
import { contractKey } from '../servers/contract-key.ts'
import { type ServerSpec, specDefaults } from '../servers/server-spec.ts'
import type { Upstream } from '../servers/upstream.ts'
import type { Doing } from './doing.ts'
import { RollingMinute } from './rolling-minute.ts'

const attempts = 3
const usualAfterMs = 200
const maxAfterMs = 30_000

/** True if repeating an act is harmless: it only reads, a person said so, or its server tells repeats by their key. */
export function isRepeatable({ act, given }: Pick<Doing, 'act' | 'given'>, upstream: Upstream): boolean {
  return act.kind !== 'call' || saidByPerson(act, upstream.spec) || hasKey(given, upstream)
}

function saidByPerson(act: Act, { repeatable = [] }: ServerSpec): boolean {
  return act.class === 'reads' || repeatable.some((pattern) => matchesGlob(pattern, act.target))
}

function hasKey(given: Doing['given'], { connection }: Upstream): boolean {
  return given?.terms.idempotencyKey !== undefined && connection !== undefined && keepsContract(connection)
}

/** The repeats of each server in the last minute; forgotten with it. */
const spent = new WeakMap<Upstream, RollingMinute>()

/**
 * Repeats an act that certainly did not reach its server, or whose server allows another try: only if that is safe, and
 * within the budget of the server.
 */
export function withRepeats(doing: Doing, upstream: Upstream, run: () => Promise<Fields>): Promise<Fields> {
  // most calls succeed, and cost no more than this
  return run().then(
    (result) => (result.isError === true ? repeated({ result }, { doing, upstream, run }) : result),
    (error: unknown) => repeated({ error }, { doing, upstream, run }),
  )
}

interface Repeating {
  readonly doing: Doing
  readonly upstream: Upstream
  run(): Promise<Fields>
}

type Ending = { readonly result: Fields } | { readonly error: unknown }

async function repeated(first: Ending, { doing, upstream, run }: Repeating): Promise<Fields> {
  const { signal } = doing.call
  let last = first
  for (let attempt = 1; ; attempt++) {
    const waitMs =
      'result' in last ? waitFor(last.result, attempt) : await waitAfter(last.error, { doing, upstream, attempt })
    if (waitMs === undefined || signal.aborted || !mayRepeat(doing, upstream, { attempt, waitMs })) return ended(last)
    await pause(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    last = await run().then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    )
  }
}

function ended(last: Ending): Fields {
  if ('error' in last) throw last.error
  return last.result
}

/** Delay before a repeat, after an error that says that a repeat may help; undefined after any other. */
async function waitAfter(
  error: unknown,
  { doing, upstream, attempt }: { readonly doing: Doing; readonly upstream: Upstream; readonly attempt: number },
): Promise<number | undefined> {
  const { retryHintOf } = await contractParts()
  const hint = retryHintOf(error)
  if (hint) return waitOf(hint, attempt)
  const isOpen = isUnsent(error) || (isUnknown(error) && hasKey(doing.given, upstream))
  return isOpen ? usualAfterMs * 2 ** (attempt - 1) : undefined
}

function isUnsent(error: unknown): boolean {
  return error instanceof TrunklineError && error.outcome === 'NotSent'
}

function isUnknown(error: unknown): boolean {
  return error instanceof TrunklineError && error.outcome === 'Unknown'
}

/** Delay that a server asks for before a repeat; undefined if it asks for none. */
function waitFor(result: Fields, attempt: number): number | undefined {
  if (result.isError !== true || result._meta === undefined) return undefined
  const { retry } = ((result._meta as Fields)[contractKey] ?? {}) as { readonly retry?: RetryHint }
  return retry && waitOf(retry, attempt)
}

function waitOf(retry: RetryHint, attempt: number): number | undefined {
  if (retry.class !== 'transient' && retry.class !== 'rateLimited') return undefined
  const waitMs = retry.afterMs ?? usualAfterMs * 2 ** (attempt - 1)
  return waitMs >= 0 && waitMs <= maxAfterMs ? waitMs : undefined
}

interface Attempt {
  readonly attempt: number
  readonly waitMs: number
}

/** True if an attempt is left, in time and within the budget; takes it from the budget. */
function mayRepeat({ given }: Doing, upstream: Upstream, { attempt, waitMs }: Attempt): boolean {
  const now = performance.now()
  if (attempt >= attempts || now + waitMs >= (given?.endsAt ?? Number.POSITIVE_INFINITY)) return false
  const { maxRepeatsPerMinute = specDefaults.maxRepeatsPerMinute } = upstream.spec
  const minute = spent.get(upstream) ?? new RollingMinute()
  if (minute.at(now) >= maxRepeatsPerMinute) return false
  minute.add(now)
  spent.set(upstream, minute)
  return true
}
