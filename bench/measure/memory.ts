import { Caller } from '../load/caller.ts'
import { type Entrant, type Measurement, type Plan, throughput } from './measurement.ts'

/** Calls a second inside one process, client and server of the same library. */
export const memory: Measurement = {
  name: 'memory',
  title: 'tools/call inside one process',
  groups: (plan) => [
    {
      title: '',
      unit: 'calls/s',
      better: 'more',
      warmUps: 1,
      entrants: plan.contestants.flatMap(({ name, memory: program, memoryWith = {} }) => [
        ...(program === undefined ? [] : [entrant(name, '', program, plan)]),
        ...Object.entries(memoryWith).map(([what, other]) => entrant(name, what, other, plan)),
      ]),
    },
  ],
}

function entrant(contestant: string, variant: string, program: string, { roundMs }: Plan): Entrant {
  return {
    contestant,
    variant,
    open: async () => {
      const caller = await Caller.start(program, {})
      const sample = async () => throughput(await caller.run({ durationMs: roundMs, inFlight: 1 }))
      return { sample, close: () => caller.end() }
    },
  }
}
