import type { Store } from '../store/store.ts'
import { LedgerLineTable } from '../store/tables/ledger-line-table.ts'
import { LedgerSearchTable } from '../store/tables/ledger-search-table.ts'
import { TimeMarkTable } from '../store/tables/time-mark-table.ts'
import type { ChainedLine } from './line.ts'
import { chainedLine, type LedgerFilter, queryLedger } from './query.ts'
import { searchExpression } from './search-words.ts'

/** Filter of ledger lines, with words that must stand in a line or in the arguments and results of its act. */
export interface LedgerSearch extends LedgerFilter {
  readonly search?: string
}

/** Lines that were found, newest first. */
export interface FoundLines {
  readonly lines: readonly ChainedLine[]
  /** The line to go on before; missing when all lines were searched. */
  readonly older?: number
}

/** Matches that one search looks at. */
const maxMatches = 10_000
/** Lines of the found acts in one answer. */
const maxLinesOfActs = 10_000

/** Lines of the ledger that match, newest first, as far as one search goes. */
export function searchLedger(store: Store, { search, ...filter }: LedgerSearch): FoundLines {
  const { most = 100 } = filter
  const expression = search === undefined ? undefined : searchExpression(search)
  if (expression === undefined) return withOlder(queryLedger(store, filter), most)
  const after = filter.since === undefined ? undefined : new TimeMarkTable(store).lineBefore(filter.since)
  const among = new LedgerSearchTable(store).match(expression, { after, before: filter.before }, maxMatches)
  const { lines, older } = withOlder(queryLedger(store, { ...filter, among }), most)
  const searched = among.length < maxMatches ? undefined : among.at(-1)
  const next = older ?? searched
  return { lines, ...(next !== undefined && { older: next }) }
}

/** The acts of such lines, each with all of its lines, oldest first; lines without an act are among them. */
export function searchActs(store: Store, filter: LedgerSearch): FoundLines {
  const { lines: found, ...older } = searchLedger(store, filter)
  const acts = [...new Set(found.flatMap(({ line }) => line.act ?? []))]
  const whole = new LedgerLineTable(store).ofActs(acts, maxLinesOfActs).map(chainedLine)
  const lines = [...found.filter(({ line }) => line.act === undefined), ...whole]
  return { lines: lines.sort((one, other) => one.number - other.number), ...older }
}

function withOlder(lines: readonly ChainedLine[], most: number): FoundLines {
  const last = lines.length < most ? undefined : lines.at(-1)?.number
  return { lines, ...(last !== undefined && { older: last }) }
}
