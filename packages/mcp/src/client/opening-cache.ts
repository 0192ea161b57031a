import { BoundedMap } from '@trunkline/base/bounded-map'
import type { Dialect } from '../dialects/dialect.ts'
import type { KnownOpening } from './negotiate.ts'

const mostRemembered = 1_000

const remembered = /* @__PURE__ */ new BoundedMap<string, Dialect['opening']>(mostRemembered)

/** The opening that worked with the server of this key in this process; without a key nothing is remembered. */
export function knownOpeningOf(key: string | undefined): KnownOpening {
  if (key === undefined) return { get: () => undefined, set: () => {}, forget: () => {} }
  return {
    get: () => remembered.get(key),
    forget: () => void remembered.delete(key),
    set: (opening) => void remembered.set(key, opening),
  }
}
