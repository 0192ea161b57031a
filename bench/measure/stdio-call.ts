import type { Offer } from '../contestants/contestant.ts'
import { StdioClient, type StdioLoad } from '../load/stdio.ts'
import { cpuFlags, metered } from '../process/cpu-time.ts'
import { startProgram } from '../process/program.ts'
import { fewWhenQuick, type Group, type Measurement, type Plan, type Sampler, throughput } from './measurement.ts'

const text = 'hello over stdio'
const mebibyte = 'x'.repeat(1024 * 1024)

/** Calls a second over stdio: one after the other, many at once, and with large payloads. */
export const stdioCall: Measurement = {
  name: 'stdio-call',
  title: 'tools/call over stdio',
  groups: (plan) => [
    stdioGroup(fewWhenQuick(plan), '1 in flight', { inFlight: 1, text }),
    stdioGroup(plan, '64 in flight', { inFlight: 64, text }),
    stdioGroup(fewWhenQuick(plan), '1 MiB payloads', { inFlight: 1, text: mebibyte }),
  ],
}

/** The servers over stdio that take part, under the same load. */
export function stdioGroup(plan: Plan, title: string, load: Omit<StdioLoad, 'durationMs'>): Group {
  const entrants = plan.contestants.flatMap((contestant) =>
    (contestant.stdio ?? [])
      .filter((_, index) => !plan.quick || index === 0)
      .map((offer) => ({
        contestant: contestant.name,
        variant: offer.shape.revision,
        open: () => openServer(offer, { ...load, durationMs: plan.roundMs }),
      })),
  )
  return { title, unit: 'calls/s', better: 'more', entrants, warmUps: 1 }
}

async function openServer(offer: Offer, load: StdioLoad): Promise<Sampler> {
  const server = startProgram(offer.program, { flags: cpuFlags, hold: 'both' })
  const client = new StdioClient(server, offer.shape)
  try {
    await client.greet()
  } catch (cause) {
    await server.end()
    throw cause
  }
  return { sample: async () => throughput(await metered(server, () => client.run(load))), close: () => server.end() }
}
