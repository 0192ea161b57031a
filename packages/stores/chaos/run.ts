/** A run: a cluster under load and faults, and what the checker says of its history. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '../../../tools/lib/until.ts'
import { startBalancer } from './balancer.ts'
import { checkHistory } from './checker.ts'
import { type EngineName, startChaosEngine } from './engines.ts'
import { faults, faultsOf, type Ground } from './faults.ts'
import { type Entry, entriesOf, type Happened } from './history.ts'
import { payLimit } from './pay-limit.ts'
import { openPlace, type Place } from './processes.ts'
import { randomFrom } from './random.ts'
import { runCancelling, runSession, runWatcher } from './session-clients.ts'
import { runOrders, runStateless } from './stateless-clients.ts'
import { runTasks } from './task-clients.ts'

/** Options of a run. */
export interface RunOptions {
  readonly engine: EngineName
  readonly seconds: number
  readonly seed: number
  /** Milliseconds between two calls of a client. @default 20 */
  readonly pauseMs?: number
  /** Milliseconds that an accepted call may take. @default the lease of a process, and 5 seconds */
  readonly answerMs?: number
  /** Is told of each fault. */
  onFault?(name: string): void
  /** Is told of each entry of the history. */
  onEntry?(entry: Entry): void
}

/** Outcome of a run. */
export interface RunReport {
  readonly problems: readonly string[]
  /** Numbers of answers by their kind. */
  readonly answers: { readonly [kind: string]: number }
  /** Numbers of answers without a result, by their kind and reason. */
  readonly reasons: { readonly [reason: string]: number }
  /** Numbers of faults by their name. */
  readonly faults: { readonly [name: string]: number }
  /** Number of messages on streams of sessions. */
  readonly messages: number
  /** Number of calls whose cancelling was accepted. */
  readonly cancels: number
  /** Number of calls that ran as tasks, and of times that another process took one. */
  readonly tasks: number
  readonly takeovers: number
  /** Number of calls that passed the limit. */
  readonly passes: number
  /** Longest time of a call. */
  readonly longestMs: number
}

const leaseMs = 5_000
const defaults = { pauseMs: 20, answerMs: leaseMs + 5_000 } as const
/** Milliseconds without a fault in which a handler is told that its call was cancelled, on a busy machine too. */
const tellMs = 20_000
/** Callers of each kind that makes many calls; of the others there is one. */
const clientsOfAKind = 2
const placesCount = 3

/** Makes a run. */
export async function runChaos(options: RunOptions): Promise<RunReport> {
  const { answerMs = defaults.answerMs } = options
  const { history, complaints } = await makeHistory(options)
  const promised = { answerMs, storeMs: 2_000, learnMs: leaseMs, tellMs, limits: { pay: payLimit } }
  return reportOf(history, [...complaints, ...checkHistory(history, promised)])
}

/** Lets a cluster run under load and faults; what happened is looked at when all of it has ended, because that takes long. */
async function makeHistory(options: RunOptions) {
  const { engine: name, seconds, seed, onFault, onEntry, pauseMs, answerMs } = { ...defaults, ...options }
  const history: Entry[] = []
  const complaints: string[] = []
  const write = (happened: Happened): void => {
    const entry = { at: performance.now(), ...happened } as Entry
    history.push(entry)
    onEntry?.(entry)
  }
  await using stack = new AsyncDisposableStack()
  const engine = stack.use(await startChaosEngine(name))
  const recorder = stack.use(await startRecorder(write))
  // beyond the lease, and no longer than a short run allows
  const faultMs = seconds < 120 ? leaseMs + 1_000 : 20_000
  const onBegin = (process: string): void => write({ what: 'began', process })
  const onEnd = (process: string): void => write({ what: 'ended', process })
  const parts = { engine, recorder: recorder.url, leaseMs, hangMs: faultMs + tellMs + 5_000, onBegin, onEnd }
  const places = await Promise.all(Array.from({ length: placesCount }, () => openPlace(parts)))
  for (const place of places) stack.defer(() => place.close())
  await until(() => places.every(({ url }) => url !== undefined), 'all processes to serve')
  const { url } = stack.use(await startBalancer(places))
  const end = performance.now() + seconds * 1_000
  const isOver = (): boolean => performance.now() >= end
  const client = (kind: string) => ({ name: kind, url, patienceMs: 2 * answerMs, pauseMs, isOver, write })
  const clients = [
    ...Array.from({ length: clientsOfAKind }, (_, at) => [
      runStateless(client(`stateless${at}`)),
      runSession(client(`session${at}`)),
    ]).flat(),
    runOrders({ ...client('order'), areEffectsKept: name === 'postgres' }),
    runCancelling(client('cancelling')),
    runWatcher(client('watcher')),
    ...(engine.ownerSteps ? [runTasks({ ...client('task'), patienceMs: 6 * answerMs })] : []),
  ]
  const ground = {
    ...parts,
    places: places as [Place, ...Place[]],
    random: randomFrom(seed),
    faultMs,
    write,
    complain: (problem: string) => void complaints.push(problem),
  }
  await makeFaults(ground, { isOver, onFault })
  await Promise.all(clients)
  for (const step of (await engine.ownerSteps?.()) ?? []) write({ what: 'write', ...step })
  return { history, complaints }
}

interface Making {
  isOver(): boolean
  readonly onFault: RunOptions['onFault']
}

async function makeFaults(ground: Ground, { isOver, onFault }: Making): Promise<void> {
  const names = faultsOf(ground.engine)
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 500 + ground.random.below(2_000)))
    if (isOver()) return
    const name = ground.random.pick(names)
    onFault?.(name)
    // what a fault may lose is lost from its beginning on
    ground.write({
      what: 'fault',
      fault: name,
      loses: name === 'flush' || name === 'promote' || (name === 'restart' && ground.engine.losesByRestart),
      isAway: name === 'promote' || name === 'restart',
      cutsOff: name === 'stop' || name === 'hold',
    })
    await faults[name]?.(ground)
  }
}

function reportOf(history: readonly Entry[], problems: readonly string[]): RunReport {
  const started = new Map(entriesOf(history, 'call').map(({ call, at }) => [call, at]))
  const answers = entriesOf(history, 'answer')
  return {
    problems,
    answers: countBy(answers.map(({ kind }) => kind)),
    reasons: countBy(
      answers.flatMap(({ kind, reason }) => (kind === 'result' ? [] : [`${kind}: ${withoutId(reason)}`])),
    ),
    faults: countBy(entriesOf(history, 'fault').flatMap(({ fault }) => (fault in faults ? [fault] : []))),
    messages: entriesOf(history, 'message').length,
    cancels: entriesOf(history, 'cancel').length,
    tasks: entriesOf(history, 'task').length,
    takeovers: new Set(
      entriesOf(history, 'write').flatMap(({ task, fence }) => (fence > 1 ? [`${task} ${fence}`] : [])),
    ).size,
    passes: entriesOf(history, 'pass').length,
    longestMs: answers.reduce((longest, { call, at }) => Math.max(longest, at - (started.get(call) ?? at)), 0),
  }
}

/** The reason as it is counted: answers for the same reason differ in the call that they answer. */
function withoutId(reason: string | undefined): string {
  return String(reason).replace(/"id":"[^"]*",/, '')
}

function countBy(names: readonly string[]): { readonly [name: string]: number } {
  const counts: { [name: string]: number } = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

function recorded(url: string | undefined, name: string): Happened {
  if (url === '/pass') return { what: 'pass', limit: name }
  return { what: url === '/overslept' ? 'overslept' : 'effect', call: name }
}

/** Listens for side effects, and for calls that passed a limit, which handlers tell it. */
async function startRecorder(write: (entry: Happened) => void) {
  const server = createServer((incoming, outgoing) => {
    let name = ''
    incoming.setEncoding('utf8').on('data', (chunk) => {
      name += chunk
    })
    incoming.on('end', () => {
      write(recorded(incoming.url, name))
      outgoing.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
