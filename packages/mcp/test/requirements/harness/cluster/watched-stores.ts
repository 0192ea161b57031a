import { setImmediate as turn } from 'node:timers/promises'
import type { ClusterStores } from '../../../../src/http.ts'

/** Stores that know when nothing is under way in them. */
export interface WatchedStores {
  readonly stores: ClusterStores
  /** Makes the process look for news; resolves when it has read all that there is. */
  settle(): Promise<void>
}

/** Turns of the event loop without a step of the store after which none follows. */
const quietTurns = 5

/** Watches stores: counts the steps that are under way, and keeps the listeners of the bell. */
export function watched(stores: ClusterStores): WatchedStores {
  const listeners = new Set<(name?: string) => void>()
  let underWay = 0
  const count = <Value>(step: Value | Promise<Value>): Value | Promise<Value> => {
    if (!(step instanceof Promise)) return step
    underWay += 1
    return step.finally(() => {
      underWay -= 1
    })
  }
  const countedPart = (part: object): object =>
    new Proxy(part, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        return typeof member === 'function' ? (...args: unknown[]) => count(member.apply(target, args)) : member
      },
    })
  const counted = Object.fromEntries(
    Object.entries(stores).map(([name, part]) => [name, typeof part === 'object' ? countedPart(part) : part]),
  ) as unknown as ClusterStores
  const bell: ClusterStores['bell'] = {
    ring: (names) => count(stores.bell.ring(names)) as Promise<void>,
    listen: (onRing) => {
      listeners.add(onRing)
      return stores.bell.listen(onRing)
    },
  }
  return {
    stores: { ...counted, bell },
    async settle() {
      for (const onRing of listeners) onRing()
      for (let quiet = 0; quiet < quietTurns; quiet = underWay > 0 ? 0 : quiet + 1) await turn()
    },
  }
}
