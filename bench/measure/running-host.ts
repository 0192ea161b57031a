import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { hostNodeFlags } from '../../packages/cli/src/service/host-flags.ts'
import { openSessions, post } from '../load/sessions.ts'
import { SseClients } from '../load/sse.ts'
import { startHttpServer } from '../process/http-server.ts'
import { erasedFile } from '../process/places.ts'
import { complaint } from '../process/program.ts'
import { restartedHostMs } from '../process/restarted-host.ts'
import { StartedHost } from '../process/started-host.ts'
import { postOf } from '../wire/http.ts'
import { echoCall, type Message } from '../wire/messages.ts'
import { session2511, stateless } from '../wire/shapes.ts'
import { type Entrant, type Group, type Measurement, type Plan, type Sampler, sampling } from './measurement.ts'

/** Latency of answers that need no server, and the memory of a gateway. */
export const runningHost: Measurement = {
  name: 'running-host',
  title: 'what the host answers by itself, and its memory',
  groups: (plan) => [
    groupOf(plan, 'tools/list of 12 stopped servers', () => figureOf('stored-lists')),
    groupOf(plan, 'call of a server that is left alone', () => figureOf('refused-call')),
    startGroup(plan),
    groupOf(plan, 'changed configuration until it is in force', () => figureOf('hot-reload')),
    groupOf(plan, 'answer over stdio after the host was killed', restartedHostMs),
    memoryGroup(plan),
  ],
}

function groupOf(plan: Plan, title: string, sample: () => Promise<number>): Group {
  const open = async () => sampling(sample)
  const entrants = [{ contestant: 'trunkline', variant: '', open }]
  return { title, unit: 'ms', better: 'less', rounds: plan.quick ? 1 : 5, entrants }
}

function startGroup(plan: Plan): Group {
  const open = async (): Promise<Sampler> => {
    const started = await StartedHost.prepare()
    return { sample: async () => ({ value: await started.sample() }), close: async () => started.close() }
  }
  const entrants = [{ contestant: 'trunkline', variant: '', open }]
  const title = 'first answer from the start, with sick servers'
  return { title, unit: 'ms', better: 'less', rounds: plan.quick ? 1 : 7, warmUps: 1, entrants }
}

async function figureOf(figure: string): Promise<number> {
  const env = { ...process.env, FIGURE: figure }
  const child = spawn(process.execPath, [erasedFile('trunkline/host-figure')], { env })
  const texts = { out: '', err: '' }
  child.stdout.on('data', (data) => (texts.out += data))
  child.stderr.on('data', (data) => (texts.err += data))
  const [code] = await once(child, 'close')
  const value = Number.parseFloat(texts.out)
  if (code !== 0 || !Number.isFinite(value)) throw new Error(`Cannot take "${figure}": ${complaint(texts.err)}`)
  return value
}

/** A gateway whose memory is taken, and how it is put under load. */
interface Weighed {
  readonly name: string
  readonly program: string
  /** Options of Node for it. */
  readonly flags: readonly string[]
  readonly load: (plan: Plan, port: number) => Promise<Loaded>
}

interface Loaded {
  run(): Promise<unknown>
  close(): void
}

const text = 'hello'
const connections = 32
const roundsOfLoad = 5

const weighed: readonly Weighed[] = [
  { name: 'trunkline', program: 'trunkline/gateway', flags: hostNodeFlags, load: callsOverHttp },
  { name: 'mcp-hub', program: 'peers/gateways/mcp-hub', flags: [], load: callsOverSse },
]

function memoryGroup(plan: Plan): Group {
  const entrants = weighed.flatMap((gateway) =>
    [false, true].map(
      (isLoaded): Entrant => ({
        contestant: gateway.name,
        variant: isLoaded ? 'after load' : 'idle',
        open: async () => sampling(() => residentMb(plan, gateway, isLoaded)),
      }),
    ),
  )
  return { title: 'memory of the gateway', unit: 'MB', better: 'less', rounds: plan.quick ? 1 : 3, entrants }
}

async function residentMb(plan: Plan, { program, flags, load }: Weighed, isLoaded: boolean): Promise<number> {
  const server = await startHttpServer(program, { env: { UPSTREAM: 'stdio' }, flags })
  try {
    const loaded = await load(plan, server.port)
    for (let round = 0; isLoaded && round < roundsOfLoad; round += 1) await loaded.run()
    const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
    loaded.close()
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
  } finally {
    await (program === 'trunkline/gateway' ? server.end('SIGTERM') : server.end())
  }
}

async function callsOverHttp(plan: Plan, port: number): Promise<Loaded> {
  const [address] = await openSessions(port, { shape: stateless, program: 'trunkline/gateway' }, 1)
  if (address === undefined) throw new Error('Cannot speak to the gateway')
  // it listens before the server was accepted
  while (!(await (await post(address, echoCall(stateless, 0, text))).text()).includes(text)) await wait(20)
  const requests = Array.from({ length: 64 }, (_, at) => postOf(address, echoCall(stateless, at + 1, text)))
  const load = { port, requests, expected: [`"text":"${text}"`], connections, durationMs: 1_000 }
  return { run: () => plan.loadHttp(load), close: () => {} }
}

async function callsOverSse(_plan: Plan, port: number): Promise<Loaded> {
  const message = (id: number): Message => {
    const { params, ...call } = echoCall(session2511, id, text)
    return { ...call, params: { ...params, name: 'bench__echo' } }
  }
  return SseClients.open({ port, shape: session2511, message, expected: text, connections, durationMs: 1_000 })
}
