import type { ServerRequest } from '../dialects/dialect.ts'
import type { Limiter, NamedRate, RateRefusal } from '../stores/limiter.ts'
import { McpError, RateLimited } from '../wire/errors.ts'
import { kindOf } from '../wire/kind-of.ts'
import { type Fields, isObject } from '../wire/messages.ts'
import { didYouMean } from '../wire/near-name.ts'

/** A number of calls per minute; or that, with how many may come at once. */
export type CallRate =
  | number
  | {
      readonly calls: number
      /** @default a sixth of the calls */
      readonly burst?: number
      /**
       * In a cluster whose store does not answer, `closed` refuses calls, and `open` counts them in each process alone, so that
       * there may be as many times the rate as there are processes. @default closed
       */
      readonly storeAway?: 'open' | 'closed'
    }

/** Rates of calls of tools. In any minute there are at most the calls of the rate and one burst. */
export interface CallRates {
  /** Calls by all callers together; a burst is a sixth of the calls, if none is given. @default any number */
  readonly callsPerMinute?: CallRate
  /** Calls by each caller; those without a principal count as one caller. @default any number */
  readonly callsPerMinutePerCaller?: CallRate
}

/** The names of the rates. */
export const callRateNames = { callsPerMinute: true, callsPerMinutePerCaller: true } as const satisfies {
  readonly [Name in keyof Required<CallRates>]: true
}

type Pace = Omit<NamedRate, 'key'>

/** The rates of a server or of one tool, ready to be counted. */
export interface PacedCalls {
  readonly all: NamedRate | undefined
  /** Start of the keys of callers. */
  readonly name: string
  readonly perCaller: Pace | undefined
}

/** The rates of a server or of a tool; undefined where none is set, so that its calls cost nothing. */
export function pacedCalls(given: unknown, { what, name }: { readonly what: string; readonly name: string }) {
  if (given === undefined) return undefined
  if (!isObject(given)) throw new McpError('Misuse', `Cannot ${what}: "limits" must be an object, not ${kindOf(given)}`)
  const all = paceOf('callsPerMinute', given, what)
  const perCaller = paceOf('callsPerMinutePerCaller', given, what)
  return all || perCaller ? { all: all && { key: name, ...all }, name, perCaller } : undefined
}

/** The rates of a tool; other limits are refused. */
export function pacedTool(tool: string, given: unknown): PacedCalls | undefined {
  const names = Object.keys(callRateNames)
  const stray = isObject(given) && Object.keys(given).find((name) => !names.includes(name))
  if (stray)
    throw new McpError(
      'Misuse',
      `Cannot add tool "${tool}": there is no limit "${stray}" of a tool${didYouMean(stray, names)}`,
    )
  return pacedCalls(given, { what: `add tool "${tool}"`, name: JSON.stringify(['tool', tool]) })
}

/** Counts a call against rates: throws beyond one, and returns a promise where the limiter does. */
export function countCall(
  limiter: Limiter,
  paced: readonly (PacedCalls | undefined)[],
  { params, caller, isResumed }: ServerRequest,
): Promise<void> | undefined {
  if (isResumed) return undefined
  const rates = paced.flatMap((one) => (one ? ratesFor(one, caller.principal) : []))
  if (rates.length === 0) return undefined
  const judge = (refusal: RateRefusal | undefined): undefined => {
    if (refusal) throw refused(params.name as string, refusal, rates)
  }
  const taken = limiter.take(rates.map(({ rate }) => rate))
  return taken instanceof Promise ? taken.then(judge) : judge(taken)
}

interface Counted {
  readonly limit: keyof CallRates
  readonly rate: NamedRate
}

function ratesFor({ all, name, perCaller }: PacedCalls, principal: string | undefined): readonly Counted[] {
  const counted: Counted[] = all ? [{ limit: 'callsPerMinute', rate: all }] : []
  if (perCaller) {
    const key = JSON.stringify([name, principal ?? null])
    counted.push({ limit: 'callsPerMinutePerCaller', rate: { key, ...perCaller } })
  }
  return counted
}

function refused(tool: string, { key, afterMs }: RateRefusal, rates: readonly Counted[]): RateLimited {
  const { limit, rate } = rates.find((one) => one.rate.key === key) ?? (rates[0] as Counted)
  const calls = Math.round((minuteMs / rate.intervalMs) * 1_000) / 1_000
  const whose = limit === 'callsPerMinute' ? '' : ' by one caller'
  const retryAfterMs = Math.ceil(afterMs)
  return new RateLimited(
    `Cannot call tool "${tool}": there may be ${calls} calls per minute${whose}; try again in ${Math.ceil(retryAfterMs / 1_000)} s`,
    { limit, retryAfterMs },
  )
}

const minuteMs = 60_000
// ten seconds' worth: agents call several tools at once
const burstsPerMinute = 6

function paceOf(name: keyof CallRates, given: Fields, what: string): Pace | undefined {
  const rate = given[name]
  if (rate === undefined) return undefined
  const { calls, burst, storeAway, ...others } = isObject(rate) ? rate : ({ calls: rate } as Fields)
  const refuse = (problem: string): never => {
    throw new McpError('Misuse', `Cannot ${what}: "limits.${name}" ${problem}`)
  }
  const [stray] = Object.keys(others)
  if (stray !== undefined)
    refuse(`has an unknown member "${stray}"${didYouMean(stray, ['calls', 'burst', 'storeAway'])}`)
  if (!(typeof calls === 'number' && calls > 0)) return refuse('must be a number above 0, or { calls, burst }')
  if (burst !== undefined && !(typeof burst === 'number' && burst >= 1))
    return refuse('must have a burst of at least 1 call')
  if (storeAway !== undefined && storeAway !== 'open' && storeAway !== 'closed')
    return refuse('must have "storeAway" as "open" or "closed"')
  if (calls === Number.POSITIVE_INFINITY) return undefined
  return {
    intervalMs: minuteMs / calls,
    burst: (burst as number | undefined) ?? Math.max(1, Math.ceil(calls / burstsPerMinute)),
    ...(storeAway !== undefined && { storeAway }),
  }
}
