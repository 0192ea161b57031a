import type { Interceptor } from '@trunkline/mcp'
import { Slots, SlotsFull } from '../servers/slots.ts'
import { type ActHandler, Refused } from './outcome.ts'

export interface ActLimits {
  /** Acts of one principal at the same time. @default 64 */
  readonly maxActsPerPrincipal?: number
  /** Acts of one principal that may wait for a place. @default 256 */
  readonly maxWaitingActsPerPrincipal?: number
}

const defaults = { maxActsPerPrincipal: 64, maxWaitingActsPerPrincipal: 256 } as const satisfies ActLimits

/** Limits the acts of one principal; runs before a person is asked, so that nobody can flood them. */
export function limit(limits: ActLimits = {}): Interceptor<ActHandler> {
  const { maxActsPerPrincipal, maxWaitingActsPerPrincipal } = { ...defaults, ...limits }
  const places = new Map<string, Slots>()
  return (next) => async (doing) => {
    const { id, name } = doing.act.principal
    const slots = places.get(id) ?? new Slots(maxActsPerPrincipal, maxWaitingActsPerPrincipal)
    places.set(id, slots)
    try {
      const release = await taken(slots, doing.call.signal, name)
      try {
        return await next(doing)
      } finally {
        release()
      }
    } finally {
      // principals come and go; whoever does nothing is not remembered
      if (slots.taken === 0) places.delete(id)
    }
  }
}

async function taken(slots: Slots, signal: AbortSignal, name: string): Promise<() => void> {
  try {
    return await slots.take(signal)
  } catch (error) {
    if (!(error instanceof SlotsFull)) throw error
    throw new Refused('limited', `Too many calls of "${name}" at the same time: ${error.message}; try again later`)
  }
}
