/** Faults that a run makes, one after the other. */

import { until } from '../../../tools/lib/until.ts'
import type { ChaosEngine } from './engines.ts'
import type { Happened } from './history.ts'
import { firstKey, type Place, type PlaceOptions, servesWithWrongClock } from './processes.ts'
import type { Random } from './random.ts'

/** A cluster under faults. */
export interface Ground extends PlaceOptions {
  readonly engine: ChaosEngine
  readonly places: readonly [Place, ...Place[]]
  readonly random: Random
  /** Milliseconds for which processes are stopped and connections are held. */
  readonly faultMs: number
  write(entry: Happened): void
  /** Writes down that something is wrong which the history does not show. */
  complain(problem: string): void
}

/** A fault; it is over when the promise resolves. */
export type Fault = (ground: Ground) => Promise<void>

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Faults by their names. */
export const faults: { readonly [name: string]: Fault } = {
  async kill({ random, places }) {
    random.pick(places).signal('SIGKILL')
  },
  async stop({ random, places, faultMs }) {
    const place = random.pick(places)
    place.signal('SIGSTOP')
    await wait(faultMs)
    place.signal('SIGCONT')
  },
  async cut({ random, places }) {
    random.pick(places).proxy.cut()
  },
  async hold({ random, places, faultMs }) {
    const { proxy } = random.pick(places)
    proxy.hold(random.pick(['toClient', 'toServer']))
    await wait(faultMs)
    proxy.release()
  },
  async silence({ places, faultMs }) {
    for (const place of places) place.isDeaf = true
    await wait(faultMs)
    for (const place of places) place.isDeaf = false
  },
  async promote({ engine, write }) {
    await engine.promote?.(1_000)
    write({ what: 'fault', fault: 'promoted', loses: true, isOver: true })
  },
  async deploy({ places, engine }) {
    await engine.upgrade?.()
    await deployKeys(places, keysAfter(places[0].keys))
  },
  async restart({ engine, write }) {
    await engine.restart()
    write({ what: 'fault', fault: 'restarted', loses: engine.losesByRestart, isOver: true })
  },
  async flush({ engine, write }) {
    await engine.flush?.()
    write({ what: 'fault', fault: 'flushed', loses: true, isOver: true })
  },
  async clock(ground) {
    if (await servesWithWrongClock(ground, ground.places[0].keys))
      ground.complain('A process whose clock is an hour off serves')
  },
}

/** Keys of the next deploy: a new one is known everywhere before anything is sealed with it, and the old one is gone last. */
function keysAfter([first = firstKey, second]: readonly string[]): readonly string[] {
  if (second === undefined) return [first, `${firstKey} ${numberOf(first) + 1}`]
  return numberOf(second) > numberOf(first) ? [second, first] : [first]
}

function numberOf(key: string): number {
  return Number(key.slice(firstKey.length))
}

/** Ends one process after the other as a deploy does, and starts it again with other keys. */
async function deployKeys(places: readonly Place[], keys: readonly string[]): Promise<void> {
  for (const place of places) {
    place.keys = keys
    await until(() => {
      if (place.url !== undefined && place.servedKeys !== keys) place.signal('SIGTERM')
      return place.url !== undefined && place.servedKeys === keys
    }, 'a process with other keys')
  }
}

/** Names of the faults that an engine can have. */
export function faultsOf({ flush, promote }: ChaosEngine): readonly [string, ...string[]] {
  const lacks = { flush: flush === undefined, promote: promote === undefined }
  return Object.keys(faults).filter((name) => !lacks[name as keyof typeof lacks]) as [string, ...string[]]
}
