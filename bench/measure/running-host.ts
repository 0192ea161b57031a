import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSessions } from '../load/sessions.ts'
import { startHttpServer } from '../process/http-server.ts'
import { erasedFile, projectFolder } from '../process/places.ts'
import { complaint } from '../process/program.ts'
import { postOf } from '../wire/http.ts'
import { echoCall } from '../wire/messages.ts'
import { stateless } from '../wire/shapes.ts'
import { type Entrant, type Group, type Measurement, type Plan, sampling } from './measurement.ts'

const unruly = join(projectFolder, 'packages/host/test/programs/unruly.ts')

/** What a host costs and how long people wait, apart from a call that goes well. */
export const runningHost: Measurement = {
  name: 'running-host',
  title: 'the host with many servers, with stopped ones and with bad ones',
  groups: (plan) => [
    groupOf(plan, 'tools/list of 12 stopped servers', 'ms', { trunkline: 'stored-lists' }),
    groupOf(plan, 'call of a server that is left alone', 'ms', { trunkline: 'refused-call' }),
    groupOf(plan, 'call with 100 sessions, processor time', 'us', {
      '1 server': 'one-server',
      '50 servers': 'fifty-servers',
    }),
    groupOf(plan, 'calls of 7 servers, 99th percentile', 'ms', {
      alone: 'ten-well',
      'beside a hanging, a flooding and a crashing one': 'three-of-ten-unruly',
    }),
    memoryGroup(plan),
  ],
}

function groupOf(plan: Plan, title: string, unit: string, figures: { readonly [variant: string]: string }): Group {
  const entrants = Object.entries(figures).map(
    ([variant, figure]): Entrant => ({
      contestant: 'trunkline',
      variant: variant === 'trunkline' ? '' : variant,
      open: async () => sampling(() => figureOf(figure)),
    }),
  )
  return { title, unit, better: 'less', rounds: plan.quick ? 1 : 5, entrants }
}

async function figureOf(figure: string): Promise<number> {
  const env = { ...process.env, FIGURE: figure, UNRULY: unruly }
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
    const requests = Array.from({ length: 64 }, (_, at) => postOf(address, echoCall(stateless, at + 1, text)))
    const load = { port: server.port, requests, expected: [`"text":"${text}"`], connections: 32, durationMs: 1_000 }
    for (let round = 0; isLoaded && round < 5; round += 1) await plan.loadHttp(load)
    const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
  } finally {
    await server.end('SIGTERM')
  }
}
