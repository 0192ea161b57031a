import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { openSessions, post } from '../load/sessions.ts'
import { startHttpServer } from '../process/http-server.ts'
import { erasedFile } from '../process/places.ts'
import { complaint } from '../process/program.ts'
import { restartedHostMs } from '../process/restarted-host.ts'
import { postOf } from '../wire/http.ts'
import { echoCall } from '../wire/messages.ts'
import { stateless } from '../wire/shapes.ts'
import { type Entrant, type Group, type Measurement, type Plan, sampling } from './measurement.ts'

/** How long people wait for what needs no server, and how much memory a gateway takes. */
export const runningHost: Measurement = {
  name: 'running-host',
  title: 'what the host answers by itself, and its memory',
  groups: (plan) => [
    groupOf(plan, 'tools/list of 12 stopped servers', () => figureOf('stored-lists')),
    groupOf(plan, 'call of a server that is left alone', () => figureOf('refused-call')),
    groupOf(plan, 'first answer from the start, with sick servers', () => figureOf('first-answer')),
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

function memoryGroup(plan: Plan): Group {
  const entrants = [false, true].map(
    (isLoaded): Entrant => ({
      contestant: 'trunkline',
      variant: isLoaded ? 'after load' : 'idle',
      open: async () => sampling(() => residentMb(plan, isLoaded)),
    }),
  )
  return { title: 'memory of the gateway', unit: 'MB', better: 'less', rounds: plan.quick ? 1 : 3, entrants }
}

async function residentMb(plan: Plan, isLoaded: boolean): Promise<number> {
  const program = 'trunkline/gateway'
  const server = await startHttpServer(program, { env: { UPSTREAM: 'stdio' } })
  try {
    const [address] = await openSessions(server.port, { shape: stateless, program }, 1)
    if (address === undefined) throw new Error('Cannot speak to the gateway')
    const text = 'hello'
    // it listens before the server was accepted
    while (!(await (await post(address, echoCall(stateless, 0, text))).text()).includes(text)) await wait(20)
    const requests = Array.from({ length: 64 }, (_, at) => postOf(address, echoCall(stateless, at + 1, text)))
    const load = { port: server.port, requests, expected: [`"text":"${text}"`], connections: 32, durationMs: 1_000 }
    for (let round = 0; isLoaded && round < 5; round += 1) await plan.loadHttp(load)
    const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
  } finally {
    await server.end('SIGTERM')
  }
}
