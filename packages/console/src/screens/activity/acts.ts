import type { ChainedLine } from '../../host/queries.ts'

/** One act, put together from its lines; what is no act, such as a start, is a row of its own. */
export interface ActRow {
  readonly key: string
  readonly act: string | undefined
  readonly at: number
  readonly kind: string
  readonly principal: string
  readonly server: string
  readonly target: string
  /** `running` while only its beginning is known. */
  readonly outcome: string
  readonly ms: number | undefined
  readonly why: string | undefined
  readonly trace: string | undefined
}

/** The acts in lines of the ledger, newest first. */
export function actRows(lines: readonly ChainedLine[]): readonly ActRow[] {
  const rows = new Map<string, ActRow>()
  for (const { number, at, line } of lines) {
    const key = line.act ?? `line ${number}`
    const before = rows.get(key)
    const outcome = line.outcome ?? (line.kind === 'began' ? 'running' : line.kind)
    rows.set(key, {
      key,
      act: line.act,
      at: before?.at ?? at,
      kind: line.kind,
      principal: line.principal ?? line.by ?? before?.principal ?? '',
      server: line.server ?? before?.server ?? '',
      target: line.target ?? before?.target ?? '',
      outcome,
      ms: line.ms ?? before?.ms,
      why: line.why ?? before?.why,
      trace: line.trace ?? before?.trace,
    })
  }
  return [...rows.values()].reverse()
}

/** What a person looks for. */
export interface ActFilter {
  readonly text: string
  readonly server: string
  readonly outcome: '' | 'ok' | 'not ok' | 'refused'
}

export function filterActs(rows: readonly ActRow[], { text, server, outcome }: ActFilter): readonly ActRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter((row) => {
    if (server !== '' && row.server !== server) return false
    if (outcome === 'ok' && row.outcome !== 'ok') return false
    if (outcome === 'not ok' && (row.outcome === 'ok' || row.outcome === 'running' || row.act === undefined))
      return false
    if (outcome === 'refused' && row.kind !== 'refused') return false
    const all =
      `${row.principal} ${row.server} ${row.target} ${row.outcome} ${row.why ?? ''} ${row.trace ?? ''}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
}
