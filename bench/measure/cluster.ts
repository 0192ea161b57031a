import { type AddressedEngine, startEngine } from '../../packages/stores/balanced/engine.ts'
import { openSessions } from '../load/sessions.ts'
import { cpuFlags, metered } from '../process/cpu-time.ts'
import { startHttpServer } from '../process/http-server.ts'
import { type Address, postOf } from '../wire/http.ts'
import { echoCall } from '../wire/messages.ts'
import { session2511 as shape } from '../wire/shapes.ts'
import { type Entrant, type Measurement, type Plan, type Sampler, throughput, turnsToWarm } from './measurement.ts'

const text = 'hello of many processes'
const connections = 32
const requestsInTurn = connections * 32

/** Places where a process keeps its sessions, each with the engine that is started for it. */
const places = [
  { variant: 'memory', engine: undefined },
  { variant: 'Redis', engine: 'redis' },
  { variant: 'PostgreSQL', engine: 'postgres' },
] as const

/** Cost of a call in a session whose state several processes share, beside one process that keeps it in memory. */
export const cluster: Measurement = {
  name: 'cluster',
  title: `tools/call in a session over HTTP, ${connections} connections, by where sessions are kept`,
  groups: (plan) => {
    const entrants: readonly Entrant[] = places.map(({ variant, engine }) => ({
      contestant: 'trunkline',
      variant,
      open: () => open(plan, engine),
    }))
    return [{ title: '', unit: 'calls/s', better: 'more', entrants, warmUps: turnsToWarm(plan) }]
  },
}

async function open(plan: Plan, name: 'redis' | 'postgres' | undefined): Promise<Sampler> {
  await using opened = new AsyncDisposableStack()
  const engine: AddressedEngine | undefined = name && opened.use(await startEngine(name))
  const program = engine ? 'trunkline/cluster' : 'trunkline/http'
  const env = engine && { CLUSTER: engine.address }
  const server = await startHttpServer(program, { ...(env && { env }), flags: cpuFlags, hold: 'channel' })
  opened.defer(() => server.end('SIGTERM'))
  const addresses = await openSessions(server.port, { shape, program }, connections)
  const requests = Array.from({ length: requestsInTurn }, (_, turn) =>
    postOf(addresses[turn % connections] as Address, echoCall(shape, turn + 1, text)),
  )
  const load = { port: server.port, requests, expected: [`"text":"${text}"`], connections, durationMs: plan.roundMs }
  const kept = opened.move()
  return {
    sample: async () => throughput(await metered(server, () => plan.loadHttp(load))),
    close: () => kept.disposeAsync(),
  }
}
