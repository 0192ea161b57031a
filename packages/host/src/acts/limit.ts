import { Slots, SlotsFull } from '@trunkline/base/slots'
import type { Interceptor } from '@trunkline/mcp'
import type { Act } from '../act/act.ts'
import { Refused } from '../act/refused.ts'
import type { ActHandler } from './doing.ts'
import { RollingMinute } from './rolling-minute.ts'

export interface ActLimits {
  /** Acts of one principal at the same time. @default 64 */
  readonly maxActsPerPrincipal?: number
  /** Acts of one principal that may wait for a place. @default 256 */
  readonly maxWaitingActsPerPrincipal?: number
}

const defaults = { maxActsPerPrincipal: 64, maxWaitingActsPerPrincipal: 256 } as const satisfies ActLimits

/** The part of an act that its pace is judged by. */
export type CountedAct = Pick<Act, 'principal' | 'project'>

/** Rate limit of principals. */
export interface ActPace {
  /** Acts of one principal in any minute, as the project of its act has it. */
  maxPerMinute(act: CountedAct): number
  /** Milliseconds of a clock that never goes back. @default that of the process */
  now?(): number
}

/** Limits the acts of one principal; runs before a person is asked, so that no principal can flood them. */
export function limit(limits: ActLimits, countAct: CountAct): Interceptor<ActHandler> {
  const { maxActsPerPrincipal, maxWaitingActsPerPrincipal } = { ...defaults, ...limits }
  const places = new Map<string, Slots>()
  return (next) => async (doing) => {
    const { id, name } = doing.act.principal
    countAct(doing.act)
    // the act that it belongs to holds a place already, and may wait for it
    if (doing.act.kind === 'signal') return next(doing)
    const slots = places.get(id) ?? new Slots(maxActsPerPrincipal, maxWaitingActsPerPrincipal)
    places.set(id, slots)
    try {
      const { signal } = doing.call
      signal.throwIfAborted()
      const release = slots.takeFree() ?? (await taken(slots, signal, name))
      try {
        return await next(doing)
      } finally {
        release()
      }
    } finally {
      // principals come and go; idle ones are not remembered
      if (slots.taken === 0) places.delete(id)
    }
  }
}

/** Counts an act of a principal; throws where it comes too fast. */
export type CountAct = (act: CountedAct) => void

/** Refuses an act beyond the pace; refused ones do not count, so that a caller that waits gets through. */
export function actCounter({ maxPerMinute, now = () => performance.now() }: ActPace): CountAct {
  const minutes = new Map<string, RollingMinute>()
  return (act) => {
    const { id, name } = act.principal
    const most = maxPerMinute(act)
    if (most === Number.POSITIVE_INFINITY) return
    const minute = minutes.get(id) ?? new RollingMinute()
    const at = now()
    if (minute.at(at) >= most) {
      const wait = minute.secondsUntilLess(at)
      throw new Refused('limited', `Too many calls of "${name}": ${most} in a minute; try again in ${wait} s`)
    }
    if (!minutes.has(id)) forgetIdle(minutes, at)
    minute.add(at)
    minutes.set(id, minute)
  }
}

// principals come and go; those idle for a minute are not remembered
function forgetIdle(minutes: Map<string, RollingMinute>, at: number): void {
  for (const [id, minute] of minutes) if (minute.at(at) === 0) minutes.delete(id)
}

async function taken(slots: Slots, signal: AbortSignal, name: string): Promise<() => void> {
  try {
    return await slots.take(signal)
  } catch (error) {
    if (!(error instanceof SlotsFull)) throw error
    throw new Refused('limited', `Too many calls of "${name}" at the same time: ${error.message}; try again later`)
  }
}
