import { among, type Between, groupOf } from './gateway.ts'
import { byVariant, type Measurement } from './measurement.ts'

const kinds = ['list_changed', 'elicitation', 'sampling', 'roots', 'ping']

/** The time of calls to one server while others of the same host flood it, against the time without floods. */
export const floods: Measurement = {
  name: 'floods',
  title: 'tools/call through the host while another of its ten servers floods it',
  groups: (plan) => {
    const all = [...kinds.flatMap((kind) => pairOf(kind, [kind])), ...pairOf('one of each kind', kinds)]
    return [{ ...groupOf(plan, '32 connections', all, { over: 'http', connections: 32 }), heat: byVariant }]
  },
}

/** A host that is flooded and one that is not; they take turns, and none works outside its own. */
function pairOf(variant: string, floods: readonly string[]): readonly Between[] {
  const well: Between = { ...among, name: 'not flooded', variant, env: { SERVERS: '10' }, isHalted: true }
  return [well, { ...well, name: 'flooded', env: { SERVERS: '10', FLOODS: floods.join(',') } }]
}
