import { Caller } from '../load/caller.ts'
import { startHttpServer } from '../process/http-server.ts'
import { connections } from './http-entrants.ts'
import { type Group, type Measurement, type Plan, type Sampler, throughput } from './measurement.ts'

/** Calls a second a client makes over HTTP; it is the client that works, the server is the raw one. */
export const client: Measurement = {
  name: 'client',
  title: 'a client over HTTP against the raw server',
  groups: (plan) => [groupOf(plan, 1), groupOf(plan, connections)],
}

function groupOf(plan: Plan, inFlight: number): Group {
  const entrants = plan.contestants.flatMap(({ name, client: program }) =>
    program === undefined
      ? []
      : { contestant: name, variant: '', open: () => openClient(program, { durationMs: plan.roundMs, inFlight }) },
  )
  return { title: `${inFlight} in flight`, unit: 'calls/s', better: 'more', warmUps: 1, entrants }
}

async function openClient(program: string, round: { durationMs: number; inFlight: number }): Promise<Sampler> {
  const server = await startHttpServer('raw/http', { core: 'load' })
  try {
    const caller = await Caller.start(program, { PORT: String(server.port) })
    return {
      sample: async () => throughput(await caller.run(round)),
      close: async () => {
        await caller.end()
        await server.end()
      },
    }
  } catch (cause) {
    await server.end()
    throw cause
  }
}
