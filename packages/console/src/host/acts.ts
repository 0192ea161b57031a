import type { ChainedLine, Question } from './queries.ts'

/** A time in which an act waited for a person. */
export interface Wait {
  readonly from: number
  readonly to: number
  /** The decision, and who made it. */
  readonly outcome: string
}

/** One act, put together from its lines; what is no act, such as a start, is a row of its own. */
export interface ActRow {
  readonly key: string
  readonly act: string | undefined
  /** Kind of act: `call`, `read` and so on. */
  readonly actKind: string | undefined
  readonly at: number
  /** End time; missing while it runs. */
  readonly to: number | undefined
  readonly kind: string
  readonly principal: string
  readonly server: string
  readonly target: string
  /** `running` while only its beginning is known, or `waiting` if a person is asked about it. */
  readonly outcome: string
  readonly ms: number | undefined
  readonly why: string | undefined
  readonly trace: string | undefined
  /** False if it ended before anything was sent to its server. */
  readonly isSent: boolean
  readonly waits: readonly Wait[]
  /** The question that it is, where it is no act. */
  readonly question: string | undefined
}

/** Outcome of an act in words. */
export function outcomeWords(outcome: string): string {
  return outcome === 'notsent' ? 'not sent' : outcome
}

/** End of an act: a refused or cancelled one was decided by a person or a rule, and has not failed. */
export function outcomeOf({ outcome, act, kind }: ActRow): 'ok' | 'running' | 'waiting' | 'decided' | 'failed' {
  if (outcome === 'ok' || outcome === 'running' || outcome === 'waiting') return outcome
  const isDecided = act === undefined || kind === 'refused' || outcome === 'cancelled' || outcome.endsWith(' later')
  return isDecided ? 'decided' : 'failed'
}

const noWaits: readonly Wait[] = []

/** The acts in lines of the ledger, the last that began first; those that open questions are about wait. */
export function actRows(lines: readonly ChainedLine[], questions: readonly Question[] = []): readonly ActRow[] {
  const rows = new Map<string, ActRow>()
  for (const one of lines) {
    const key = one.line.act ?? `line ${one.number}`
    const before = rows.get(key)
    rows.set(key, isDecision(one) ? decided(one, key, before) : happened(one, key, before))
  }
  // few of the acts run, so these are looked through for each question
  const running = questions.length > 0 ? [...rows.values()].filter(({ outcome }) => outcome === 'running') : []
  for (const row of running) {
    if (questions.some((question) => waitsFor(row, question))) rows.set(row.key, { ...row, outcome: 'waiting' })
  }
  return [...rows.values()].reverse().sort((one, other) => other.at - one.at)
}

/** True for the act that a question is about, and for the call during which its server asks it. */
function waitsFor({ act, server, target, principal }: ActRow, { detail, server: asking }: Question): boolean {
  if (act !== undefined && act === detail.act) return true
  const during = detail.during as { readonly target?: string; readonly client?: string } | undefined
  return during !== undefined && server === asking && target === during.target && principal === during.client
}

/** Words for the outcome of an act that was let go of while a person was asked, by their decision. */
const decidedLater: { readonly [outcome: string]: string } = {
  refuse: 'refused later',
  once: 'allowed later',
  session: 'allowed later',
  project: 'allowed later',
  always: 'allowed later',
}

/** A decision is part of an act, which goes on or ends in a line of its own. */
function isDecision({ line }: ChainedLine): boolean {
  return line.act !== undefined && line.question !== undefined && line.actKind === undefined
}

function decided({ at, line }: ChainedLine, key: string, before: ActRow | undefined): ActRow {
  const outcome = `${line.outcome ?? line.kind}${line.by === undefined ? '' : ` by ${line.by}`}`
  const wait = { from: at - (line.ms ?? 0), to: at, outcome }
  const base = before ?? {
    ...{ key, act: line.act, actKind: undefined, kind: line.kind, at: wait.from, to: undefined, ms: undefined },
    ...{ principal: line.principal ?? '', server: line.server ?? '', target: line.target ?? '' },
    ...{ outcome: 'running', why: undefined, trace: undefined, isSent: true, waits: noWaits, question: undefined },
  }
  // the caller was told to come back, and this is what it will find
  const isLate = base.outcome === 'waiting'
  return {
    ...base,
    ...(isLate && { outcome: decidedLater[line.outcome ?? ''] ?? line.outcome ?? line.kind, why: lateWhy(line) }),
    waits: [...base.waits, ...within(wait, base.to)],
  }
}

function lateWhy({ outcome, by }: ChainedLine['line']): string {
  if (outcome === 'refuse') return `the caller had gone on when ${by ?? 'a person'} refused it`
  if (decidedLater[outcome ?? ''] === undefined) return 'the caller had gone on, and nobody answered'
  return `the caller had gone on when ${by ?? 'a person'} allowed it; it runs when it is called again with the same arguments`
}

/** The part of a wait that the act was there for: a person may answer after its caller has gone on. */
function within(wait: Wait, end: number | undefined): readonly Wait[] {
  if (end === undefined || wait.to <= end) return [wait]
  return wait.from < end ? [{ ...wait, to: end }] : []
}

function happened({ at, line }: ChainedLine, key: string, before: ActRow | undefined): ActRow {
  const isOver = line.kind === 'ended' || line.kind === 'refused'
  return {
    key,
    act: line.act,
    actKind: line.actKind ?? before?.actKind,
    at: Math.min(before?.at ?? at, at - (line.ms ?? 0)),
    to: isOver ? at : before?.to,
    kind: line.kind,
    principal: line.principal ?? line.by ?? before?.principal ?? '',
    server: line.server ?? before?.server ?? '',
    target: line.target ?? before?.target ?? '',
    outcome: line.outcome ?? (line.kind === 'began' ? 'running' : line.kind),
    ms: line.ms ?? before?.ms,
    why: line.why ?? before?.why,
    trace: line.trace ?? before?.trace,
    isSent: line.isSent ?? line.kind !== 'refused',
    waits: before?.waits ?? noWaits,
    question: line.act === undefined ? line.question : undefined,
  }
}

/** Milliseconds that an act took, without those in which it waited for a person. */
export function ownMs({ ms, at, to, waits }: ActRow): number | undefined {
  if (ms === undefined) return undefined
  const end = to ?? at + ms
  const waited = waits.reduce(
    (sum, wait) => sum + Math.max(0, Math.min(end, wait.to) - Math.max(end - ms, wait.from)),
    0,
  )
  return Math.max(0, ms - waited)
}

/** Search text and filters of a person. */
export interface ActFilter {
  readonly text: string
  readonly server: string
  readonly client: string
  readonly outcome: '' | 'ok' | 'failed' | 'refused' | 'running' | 'waiting'
  /** Times between which it went on, as in `Date.now()`. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export const everyAct: ActFilter = { text: '', server: '', client: '', outcome: '' }

/** Acts that match; `found` are keys of those in which the host found the text. */
export function filterActs(
  rows: readonly ActRow[],
  filter: ActFilter,
  found: ReadonlySet<string> = new Set(),
): readonly ActRow[] {
  const { text, server, client, from = 0, to = Number.POSITIVE_INFINITY } = filter
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter((row) => {
    if (server !== '' && row.server !== server) return false
    if (client !== '' && row.principal !== client) return false
    if (!hasOutcome(row, filter.outcome)) return false
    if (row.at > to || (row.to ?? row.at) < from) return false
    if (words.length === 0 || found.has(row.key)) return true
    const all =
      `${row.principal} ${row.server} ${row.target} ${row.outcome} ${row.why ?? ''} ${row.trace ?? ''}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
}

function hasOutcome(row: ActRow, wanted: ActFilter['outcome']): boolean {
  if (wanted === '') return true
  if (wanted === 'refused') return row.kind === 'refused'
  if (wanted === 'failed') return outcomeOf(row) === 'failed'
  return row.outcome === wanted
}
