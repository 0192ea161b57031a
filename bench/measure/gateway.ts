import { readFileSync } from 'node:fs'
import { hostNodeFlags } from '../../packages/cli/src/service/host-flags.ts'
import { openSessions } from '../load/sessions.ts'
import { SseClients } from '../load/sse.ts'
import { cpuFlags, metered } from '../process/cpu-time.ts'
import { type HttpServer, startHttpServer } from '../process/http-server.ts'
import { type Address, postOf } from '../wire/http.ts'
import { echoCall, type Message } from '../wire/messages.ts'
import { type Shape, session2511, stateless } from '../wire/shapes.ts'
import {
  type Entrant,
  type Group,
  type Measurement,
  type Plan,
  type Sample,
  type Sampler,
  throughput,
  turnsToWarmGateway,
} from './measurement.ts'

const text = 'hello through a gateway'
const requestsInTurn = 1_024

/** A gateway in the comparison, or the server without one. */
export interface Between {
  readonly name: string
  readonly program: string
  readonly shape: Shape
  /** Name of the tool there. @default 'echo' */
  readonly tool?: string
  /** True if answers come on a stream of their own. @default false */
  readonly sse?: boolean
  /** Name in the table. @default the name of its shape */
  readonly variant?: string
  /** Number of servers behind it, and those that are sick or flood. @default one, which is well */
  readonly env?: Readonly<Record<string, string>>
  /** Sessions that are open beside those that are used. @default 0 */
  readonly idleSessions?: number
  /** Halts the servers that flood it outside its own turns, so that they take no processor time from others. @default false */
  readonly haltsFloods?: boolean
}

const direct: Between = { name: 'direct', program: 'trunkline/http', shape: stateless }
/** Gateways that pass everything on and check nothing: the limit, without and with a record of the calls. */
const limits: readonly Between[] = [
  { name: 'raw', program: 'raw/gateway', shape: stateless, variant: 'passes on' },
  { name: 'raw', program: 'raw/gateway', shape: stateless, variant: 'passes on, records', env: { RECORD: '1' } },
]
const ours: readonly Between[] = [
  { name: 'trunkline', program: 'trunkline/gateway', shape: stateless },
  { name: 'trunkline', program: 'trunkline/gateway', shape: session2511 },
]
/** The host in front of several servers, of which `bench` is called. */
export const among = {
  name: 'trunkline',
  program: 'trunkline/gateway',
  shape: session2511,
  tool: 'bench__echo',
} as const
const crowds: readonly Between[] = [
  { ...among, variant: '2 servers', env: { SERVERS: '2' } },
  { ...among, variant: '50 servers, 100 sessions', env: { SERVERS: '50', TOOLS: '20' }, idleSessions: 68 },
  { ...among, variant: '10 servers', env: { SERVERS: '10' } },
  { ...among, variant: '10 servers, 3 of them sick', env: { SERVERS: '10', SICK: '1' } },
]
const hub: Between = {
  name: 'mcp-hub',
  program: 'peers/gateways/mcp-hub',
  shape: session2511,
  tool: 'bench__echo',
  sse: true,
}
const proxies: readonly Between[] = [
  { name: 'supergateway', program: 'peers/gateways/supergateway', shape: session2511 },
  { name: 'mcp-proxy', program: 'peers/gateways/mcp-proxy', shape: session2511 },
]

/** Cost of a gateway per call: time, processor time, and the share left of the server's own throughput. */
export const gateway: Measurement = {
  name: 'gateway',
  title: 'tools/call through a gateway, in front of our own server',
  groups: (plan) => [
    groupOf(plan, 'stdio upstream, 32 connections', [direct, ...limits, ...ours, hub, ...proxies], {
      over: 'stdio',
      connections: 32,
    }),
    groupOf(plan, 'stdio upstream, 1 connection', [direct, ...ours, hub, ...proxies], {
      over: 'stdio',
      connections: 1,
    }),
    groupOf(plan, 'HTTP upstream, 32 connections', [direct, ...ours, hub], { over: 'http', connections: 32 }),
    groupOf(plan, 'HTTP upstreams, several, 32 connections', crowds, { over: 'http', connections: 32 }),
  ],
}

interface How {
  readonly over: 'stdio' | 'http'
  readonly connections: number
}

/** Gateways that are compared with each other under the same load. */
export function groupOf(plan: Plan, title: string, all: readonly Between[], how: How): Group {
  const entrants: readonly Entrant[] = all.map((one) => ({
    contestant: one.name,
    variant: one.variant ?? one.shape.label,
    open: () => (one.sse ? openSse(plan, one, how) : openHttp(plan, one, how)),
  }))
  return { title, unit: 'calls/s', better: 'more', entrants, warmUps: turnsToWarmGateway(plan) }
}

/** A gateway that listens, with the server behind it where that is a server of its own. */
async function start(
  { program, env: more }: Between,
  { over }: How,
): Promise<{ server: HttpServer; end(): Promise<void> }> {
  const behind =
    over === 'http' && program !== direct.program
      ? await startHttpServer(direct.program, { core: 'load', ...(more && { env: more }) })
      : undefined
  const upstream = behind && { UPSTREAM_URL: `http://127.0.0.1:${behind.port}/mcp` }
  const env = { UPSTREAM: over, ...upstream, ...more }
  const flags = program === 'trunkline/gateway' ? [...hostNodeFlags, ...cpuFlags] : cpuFlags
  const server = await startHttpServer(program, { env, flags, hold: 'channel' })
  const end = async (): Promise<void> => {
    // the others need not hear it, and some do not end when they do
    await (program.startsWith('peers/') ? server.end() : server.end('SIGTERM'))
    await behind?.end()
  }
  return { server, end }
}

const messageOf =
  ({ shape, tool = 'echo' }: Between) =>
  (id: number): Message => {
    const { params, ...call } = echoCall(shape, id, text)
    return { ...call, params: { ...params, name: tool } }
  }

async function openHttp(plan: Plan, one: Between, how: How): Promise<Sampler> {
  const { server, end } = await start(one, how)
  try {
    const { shape, program, idleSessions = 0, haltsFloods = false } = one
    const { connections } = how
    const flooders = haltsFloods ? descendantsOf(server.child.pid).filter(isFlooder) : []
    const signal = (name: NodeJS.Signals) => {
      for (const pid of flooders) process.kill(pid, name)
    }
    await openSessions(server.port, { shape, program }, idleSessions)
    const addresses = await openSessions(server.port, { shape, program }, connections)
    const message = messageOf(one)
    const requests = Array.from({ length: requestsInTurn }, (_, turn) =>
      postOf(addresses[turn % connections] as Address, message(turn + 1)),
    )
    const load = { port: server.port, requests, expected: [`"text":"${text}"`], connections, durationMs: plan.roundMs }
    signal('SIGSTOP')
    const sample = async (): Promise<Sample> => {
      signal('SIGCONT')
      const outcome = await metered(server, () => plan.loadHttp(load))
      signal('SIGSTOP')
      return throughput(outcome)
    }
    const close = (): Promise<void> => {
      signal('SIGCONT')
      return end()
    }
    return { sample, close }
  } catch (cause) {
    await end()
    throw cause
  }
}

function isFlooder(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('flooder')
}

/** Processes that a process started, and those that they started. */
function descendantsOf(pid: number | undefined): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number)
  return children.flatMap((child) => [child, ...descendantsOf(child)])
}

async function openSse(plan: Plan, one: Between, how: How): Promise<Sampler> {
  const { server, end } = await start(one, how)
  try {
    const { shape } = one
    const { connections } = how
    const load = {
      port: server.port,
      shape,
      message: messageOf(one),
      expected: text,
      connections,
      durationMs: plan.roundMs,
    }
    const clients = await SseClients.open(load)
    const close = async (): Promise<void> => {
      clients.close()
      await end()
    }
    return { sample: async () => throughput(await metered(server, () => clients.run())), close }
  } catch (cause) {
    await end()
    throw cause
  }
}
