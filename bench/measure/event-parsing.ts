import { Caller } from '../load/caller.ts'
import { erasedFile } from '../process/places.ts'
import type { Arrival } from '../program/parse-rounds.ts'
import { type Entrant, type Group, type Measurement, type Plan, type Sampler, throughput } from './measurement.ts'

const programs = { 'eventsource-parser': 'peers/eventsource-parser/events', trunkline: 'trunkline/events' }

/** Events of a stream that a client reads in a second of processor time, beside the parser that most others use. */
export const eventParsing: Measurement = {
  name: 'event-parsing',
  title: 'events read from a stream, by second of processor time',
  groups: (plan) => [
    groupOf(plan, 'events that arrive one at a time', 'one at a time'),
    groupOf(plan, 'events that arrive many at once', 'many at once'),
    groupOf(plan, 'an event of 1 MiB that arrives in parts', 'in parts'),
  ],
}

function groupOf(plan: Plan, title: string, arrival: Arrival): Group {
  const entrants = Object.entries(programs).map(
    ([contestant, program]): Entrant => ({ contestant, variant: '', open: () => openParser(program, arrival, plan) }),
  )
  return { title, unit: 'events/s', better: 'more', warmUps: 1, entrants }
}

async function openParser(program: string, arrival: Arrival, plan: Plan): Promise<Sampler> {
  const parser = erasedFile('source/transports/http/client/event-parser')
  const caller = await Caller.start(program, { ARRIVAL: arrival, EVENT_PARSER: parser })
  return {
    sample: async () => {
      const { value } = throughput(await caller.run({ durationMs: plan.roundMs, inFlight: 1 }))
      return { value }
    },
    close: () => caller.end(),
  }
}
