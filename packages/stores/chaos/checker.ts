/** Finds what a history of a cluster under faults must not contain. */
import { type Entry, type EntryOf, entriesOf } from './history.ts'

/** Promises that depend on how the cluster is run. */
export interface Promised {
  /**
   * Milliseconds within which each accepted call is answered, counted anew when a process ends or is cut off meanwhile, and
   * without those for which the engine was away, or no process served.
   */
  readonly answerMs: number
  /** Milliseconds for which an event waits for the engine; after that it is sent without an id. */
  readonly storeMs: number
  /** Milliseconds after which every process knows that the engine lost what it had confirmed. */
  readonly learnMs: number
  /** Milliseconds within which a handler is told of a cancel, without those for which a process was cut off. */
  readonly tellMs: number
  /** Limits by their names. */
  readonly limits: { readonly [name: string]: PromisedLimit }
}

/** A limit, and how much more than it may pass. */
export interface PromisedLimit {
  readonly perMinute: number
  readonly burst: number
  /** Calls that may pass beyond it. */
  readonly slack: number
}

/** Checks a history, whose entries are in the order of time; returns what is wrong, in words. */
export function checkHistory(history: readonly Entry[], promised: Promised): readonly string[] {
  return [
    ...checkAnswers(history, promised),
    ...checkCancels(history, promised),
    ...checkEffects(history),
    ...checkStreams(history),
    ...checkTasks(history),
    ...checkFences(history),
    ...checkLimits(history, promised),
    ...checkStored(history),
  ]
}

/** Every call that was not cancelled is answered once and with its own value, an accepted one in time. */
function checkAnswers(history: readonly Entry[], promised: Promised): readonly string[] {
  const answers = groupBy(entriesOf(history, 'answer'), ({ call }) => call)
  const cancelled = new Set(entriesOf(history, 'cancel').map(({ call }) => call))
  const accepted = new Map(entriesOf(history, 'accepted').map(({ call, at }) => [call, at]))
  const calls = entriesOf(history, 'call')
  const known = new Set(calls.map(({ call }) => call))
  const away = stretches(history, 'isAway')
  const gone = history.flatMap((entry) =>
    entry.what === 'ended' || (entry.what === 'fault' && entry.cutsOff) ? [entry.at] : [],
  )
  const waiting = joined([...away, ...unserved(history)])
  const state = { gone, away, losing: stretches(history, 'loses'), waiting }
  return [
    ...calls.flatMap(({ call, at }) => {
      const [answer, ...more] = answers.get(call) ?? []
      if (more.length > 0) return [`Call ${call} was answered ${more.length + 1} times`]
      if (!answer) return cancelled.has(call) ? [] : [`Call ${call} was never answered`]
      if (answer.kind === 'result' && answer.value !== call) return [`Call ${call} got the result of ${answer.value}`]
      const acceptedAt = cancelled.has(call) ? undefined : accepted.get(call)
      return acceptedAt === undefined ? [] : checkAccepted({ call, at, acceptedAt, answer }, state, promised)
    }),
    ...[...answers.keys()].filter((call) => !known.has(call)).map((call) => `An answer to ${call} was not asked for`),
  ]
}

/** Stretches of time in which something was not as it should be. */
interface Trouble {
  /** Times at which a process ended or was cut off, in order. */
  readonly gone: readonly number[]
  /** The engine was away. */
  readonly away: readonly Stretch[]
  /** The engine may have lost what it had confirmed. */
  readonly losing: readonly Stretch[]
  /** The engine was away, or no process served, so that none could answer. */
  readonly waiting: readonly Stretch[]
}

interface AcceptedCall {
  readonly call: string
  readonly at: number
  readonly acceptedAt: number
  readonly answer: EntryOf<'answer'>
}

/**
 * An accepted call can be resumed until it is answered. Only where the engine lost something while it was under way may its
 * stream or its session be gone, so that its outcome is unknown, and only then may it wait for an answer that is lost: until
 * every process knows of the loss, and fails its questions. Where the engine was away for longer than an event waits for it, an
 * event has no id, and a client that was not there for it is told so.
 */
function checkAccepted(
  { call, at, acceptedAt, answer }: AcceptedCall,
  { gone, away, losing, waiting }: Trouble,
  { answerMs, learnMs, storeMs }: Promised,
): readonly string[] {
  const losses = losing.filter(([begin, end]) => begin < answer.at && end > at - learnMs)
  const isLost = losses.some(([, end]) => end > at)
  const isUnstored = away.some(([begin, end]) => end - begin > storeMs && begin < answer.at && end > at)
  if (answer.kind === 'unknown' && !isLost && !isUnstored)
    return [`Call ${call} was accepted, and its outcome is unknown: ${answer.reason}`]
  const lastGone = gone.findLast((when) => when < answer.at) ?? acceptedAt
  const since = Math.max(acceptedAt, lastGone, ...losses.map(([, end]) => Math.min(end, answer.at) + learnMs))
  const ms = answer.at - since - msBetween(waiting, since, answer.at)
  if (answer.kind === 'none' && (losses.length === 0 || ms > answerMs))
    return [`Call ${call} was accepted and never answered`]
  return ms > answerMs ? [`Call ${call} was answered after ${Math.round(ms)} ms`] : []
}

type Stretch = readonly [from: number, to: number]

/** Stretches of time for which entries of faults say something of the engine, each until the next entry, unless the fault is over. */
function stretches(history: readonly Entry[], says: 'isAway' | 'loses' | 'cutsOff'): readonly Stretch[] {
  const entries = entriesOf(history, 'fault')
  return entries.flatMap((entry, index) => {
    const until = entry.isOver ? entry.at : (entries[index + 1]?.at ?? Number.POSITIVE_INFINITY)
    return entry[says] ? [[entry.at, until] as const] : []
  })
}

/** Stretches in which no process served, from the time on at which one did. */
function unserved(history: readonly Entry[]): readonly Stretch[] {
  const serving = new Set<string>()
  const found: Stretch[] = []
  let since = Number.POSITIVE_INFINITY
  for (const entry of history) {
    if (entry.what === 'began') {
      if (entry.at > since) found.push([since, entry.at])
      since = Number.POSITIVE_INFINITY
      serving.add(entry.process)
    }
    if (entry.what === 'ended' && serving.delete(entry.process) && serving.size === 0) since = entry.at
  }
  return found
}

/** The same stretches, with those as one that overlap. */
function joined(all: readonly Stretch[]): readonly Stretch[] {
  const found: Stretch[] = []
  for (const [from, to] of all.toSorted(([one], [other]) => one - other)) {
    const [begin, end] = found.at(-1) ?? [from, Number.NEGATIVE_INFINITY]
    if (from <= end) found[found.length - 1] = [begin, Math.max(end, to)]
    else found.push([from, to])
  }
  return found
}

function msBetween(all: readonly Stretch[], from: number, to: number): number {
  return all.reduce((ms, [begin, end]) => ms + Math.max(0, Math.min(end, to) - Math.max(begin, from)), 0)
}

/** A handler is told of an accepted cancel, unless the engine lost it, or the process that took it ended before it could tell one that was cut off. */
function checkCancels(history: readonly Entry[], { tellMs }: Promised): readonly string[] {
  const cancelled = new Map<string, EntryOf<'cancel'>>()
  const disturbed = stretches(history, 'cutsOff')
  const problems: string[] = []
  for (const entry of history) {
    if (entry.what === 'fault' && entry.loses) cancelled.clear()
    if (entry.what === 'cancel') cancelled.set(entry.call, entry)
    if (entry.what === 'ended') for (const [call, { by }] of cancelled) if (by === entry.process) cancelled.delete(call)
    if (entry.what !== 'overslept') continue
    const { at: since = entry.at } = cancelled.get(entry.call) ?? {}
    if (entry.at - since - msBetween(disturbed, since, entry.at) > tellMs)
      problems.push(`Call ${entry.call} was cancelled, and its handler was not told`)
  }
  return problems
}

/** An effect happens at most once; it happened if there is a result, and it did not if the call was refused. */
function checkEffects(history: readonly Entry[]): readonly string[] {
  const effects = groupBy(entriesOf(history, 'effect'), ({ call }) => call)
  const twice = [...effects].filter(([, all]) => all.length > 1)
  return [
    ...twice.map(([call, all]) => `The effect of ${call} happened ${all.length} times`),
    ...entriesOf(history, 'answer').flatMap(({ call, kind }) => {
      if (kind === 'result' && !effects.has(call)) return [`Call ${call} has a result, and its effect did not happen`]
      if (kind === 'refused' && effects.has(call)) return [`Call ${call} was refused, and its effect happened`]
      return []
    }),
  ]
}

/** The numbers of a stream follow each other, unless a gap was told. */
function checkStreams(history: readonly Entry[]): readonly string[] {
  const last = new Map<string, number>()
  const problems: string[] = []
  for (const entry of history) {
    if (entry.what === 'gap') last.delete(entry.stream)
    if (entry.what !== 'message') continue
    const { stream, number, isSparse = false } = entry
    const before = last.get(stream)
    if (before !== undefined && number <= before)
      problems.push(`Message ${number} of ${stream} came again after ${before}`)
    if (before !== undefined && number > before + 1 && !isSparse)
      problems.push(`Messages ${before + 1} to ${number - 1} of ${stream} are missing, and no gap was told`)
    last.set(stream, Math.max(number, before ?? 0))
  }
  return problems
}

/** A call that was answered with a task has the outcome of that task, whatever becomes of processes. */
function checkTasks(history: readonly Entry[]): readonly string[] {
  const started = new Set(entriesOf(history, 'task').map(({ call }) => call))
  return entriesOf(history, 'answer').flatMap(({ call, kind, reason }) => {
    const hasOutcome = kind === 'result' || kind === 'error'
    return started.has(call) && !hasOutcome ? [`Call ${call} ran as a task without an outcome: ${kind} ${reason}`] : []
  })
}

/** Writes of owners come in the order of their fences, and each fence has one owner. */
function checkFences(history: readonly Entry[]): readonly string[] {
  const last = new Map<string, EntryOf<'write'>>()
  const problems: string[] = []
  for (const write of entriesOf(history, 'write')) {
    const before = last.get(write.task)
    if (before && write.fence < before.fence)
      problems.push(`Task ${write.task}: fence ${write.fence} of ${write.owner} wrote after fence ${before.fence}`)
    else if (before && write.fence === before.fence && write.owner !== before.owner)
      problems.push(`Task ${write.task}: ${before.owner} and ${write.owner} both have fence ${write.fence}`)
    else last.set(write.task, write)
  }
  return problems
}

/** No stretch of time passes more calls than its limit, the burst and the slack, unless the engine lost the count. */
function checkLimits(history: readonly Entry[], { limits }: Promised): readonly string[] {
  const buckets = new Map<string, { fullness: number; at: number }>()
  const problems = new Map<string, string>()
  for (const entry of history) {
    if (entry.what === 'fault' && entry.loses) buckets.clear()
    if (entry.what !== 'pass') continue
    const limit = limits[entry.limit]
    if (!limit) problems.set(entry.limit, `Limit ${entry.limit} is not promised`)
    if (!limit || problems.has(entry.limit)) continue
    // the fullness of a bucket that leaks at the rate is the most that any stretch up to now had beyond it
    const { fullness, at } = buckets.get(entry.limit) ?? { fullness: 0, at: entry.at }
    const now = Math.max(0, fullness - ((entry.at - at) * limit.perMinute) / 60_000) + 1
    buckets.set(entry.limit, { fullness: now, at: entry.at })
    if (now > limit.burst + limit.slack)
      problems.set(entry.limit, `Limit ${entry.limit} passed ${Math.ceil(now)} calls beyond its rate`)
  }
  return [...problems.values()]
}

/** Confirmed values are read again, unless a fault came between that may lose them. */
function checkStored(history: readonly Entry[]): readonly string[] {
  const confirmed = new Map<string, number>()
  const problems: string[] = []
  for (const entry of history) {
    if (entry.what === 'fault' && entry.loses) confirmed.clear()
    if (entry.what === 'stored')
      confirmed.set(entry.key, Math.max(entry.value, confirmed.get(entry.key) ?? entry.value))
    if (entry.what !== 'read') continue
    const value = confirmed.get(entry.key)
    if (value !== undefined && (entry.value ?? Number.NEGATIVE_INFINITY) < value)
      problems.push(`Value ${value} of ${entry.key} was confirmed, and ${entry.value ?? 'nothing'} was read`)
  }
  return problems
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
