import { redact } from '@trunkline/base/redact'
import type { Fields } from '@trunkline/mcp'
import type { PastQuestion } from '../inbox/stored-questions.ts'
import { callStatistics } from '../ledger/call-statistics.ts'
import { queryLedger } from '../ledger/query.ts'
import { type LedgerSearch, searchActs, searchLedger } from '../ledger/search.ts'
import type { Handlers } from './handlers.ts'
import { shownQuestion } from './inbox-handlers.ts'
import type { ApiParts } from './parts.ts'
import type { RouteAnswer } from './routes.ts'
import { withoutMissing } from './without-missing.ts'

/** Handlers of the ledger. */
export function ledgerHandlers({
  store,
  ledger,
  inbox,
  searchIndex,
}: ApiParts): Pick<
  Handlers,
  'ledger' | 'acts' | 'callStatistics' | 'settledQuestions' | 'verify' | 'ledgerTip' | 'exportLedger' | 'act' | 'forget'
> {
  const isIndexedFor = ({ search }: LedgerSearch) => search === undefined || searchIndex.catchUp()
  return {
    async ledger(filter) {
      const isIndexed = await isIndexedFor(withoutMissing(filter))
      const { lines, ...older } = searchLedger(store, withoutMissing(filter))
      return { items: [...lines], ...older, isIndexed }
    },
    async acts(filter) {
      const isIndexed = await isIndexedFor(withoutMissing(filter))
      const { lines, ...older } = searchActs(store, withoutMissing(filter))
      return { items: [...lines], ...older, isIndexed }
    },
    async callStatistics(which) {
      const { at, calls, failed, p50, p95, ...rest } = await callStatistics(store, withoutMissing(which))
      return { at: [...at], calls: [...calls], failed: [...failed], p50: [...p50], p95: [...p95], ...rest }
    },
    settledQuestions: ({ most = 50, ...filter }) => ({
      items: inbox.pastQuestions(withoutMissing(filter), most).map(shownSettlement),
    }),
    verify: ({ after }) => {
      const { broken, ...rest } = ledger.verify({ after })
      return { ...rest, ...(broken && { broken: broken.why }) }
    },
    ledgerTip: () => ledger.signedTip(),
    async exportLedger({ after = 0 }) {
      const tip = await ledger.signedTip()
      const lines = [...firstOf(ledger.lines(after, tip.number), exportedAtOnce)]
      const last = lines.at(-1)?.number ?? after
      return { lines: lines.map((line) => JSON.stringify(line)), after: last, ...(last >= tip.number && { tip }) }
    },
    act: ({ act }) => ({ lines: [...queryLedger(store, { act })], payloads: ledger.payloads.of(act) }),
    async forget(which) {
      return { removed: await ledger.payloads.forget(withoutMissing(which)) }
    },
  }
}

/** A settled question without what looks like a secret. */
function shownSettlement({ question, settlement }: PastQuestion): RouteAnswer<'settledQuestions'>['items'][number] {
  const shown = shownQuestion(question)
  const about = { question: { ...shown, detail: redact(shown.detail) as Fields }, at: settlement.at }
  if (settlement.state !== 'answered') return { ...about, outcome: settlement.state, why: settlement.why }
  const { choice, by, sentence, content } = settlement.answer
  return {
    ...about,
    outcome: choice,
    by,
    ...(sentence !== undefined && { why: sentence }),
    ...(content && { content: redact(content) as Fields }),
  }
}

/** Lines in one answer, so that a long ledger holds nothing else up. */
const exportedAtOnce = 1_000

function* firstOf<Item>(items: Iterable<Item>, most: number): Generator<Item> {
  let count = 0
  for (const item of items) {
    yield item
    count += 1
    if (count >= most) return
  }
}
