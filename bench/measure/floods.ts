import { among, type Between, groupOf } from './gateway.ts'
import { byVariant, type Measurement } from './measurement.ts'

const kinds = ['list_changed', 'elicitation', 'sampling', 'roots', 'ping']

/**
 * The time of calls to one server while others of the same host flood it, against the time without floods. One caller waits
 * for each answer. Without the throttle (`servers/throttle.ts`) list_changed and ping have ratios of about 10; the listings
 * that a flood of list_changed causes are coalesced as well (`servers/coalesced-runs.ts`).
 */
export const floods: Measurement = {
  name: 'floods',
  title: 'tools/call through the host while others of its ten servers flood it',
  groups: (plan) => {
    const all = [...kinds.flatMap((kind) => pairOf(kind, [kind])), ...pairOf('one of each kind', kinds)]
    return [{ ...groupOf(plan, '1 connection', all, { over: 'http', connections: 1 }), heat: byVariant }]
  },
}

/** A host that is flooded and one that is not; they take turns, and floods are halted outside of them. */
function pairOf(variant: string, floods: readonly string[]): readonly Between[] {
  const well: Between = { ...among, name: 'not flooded', variant, env: { SERVERS: '10' }, haltsFloods: true }
  return [well, { ...well, name: 'flooded', env: { SERVERS: '10', FLOODS: floods.join(',') } }]
}
