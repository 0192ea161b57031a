import { redact } from '@trunkline/base/redact'
import type { Fields } from '@trunkline/mcp'
import { z } from 'zod'
import type { Host } from '../assembly/host.ts'
import type { PastQuestion } from '../inbox/stored-questions.ts'
import { callStatistics } from '../ledger/call-statistics.ts'
import { queryLedger } from '../ledger/query.ts'
import { type LedgerSearch, searchActs, searchLedger } from '../ledger/search.ts'

import { ApiError } from './api-error.ts'
import { route } from './route.ts'
import * as s from './schemas.ts'
import { shownQuestion } from './shown-question.ts'
import { withoutMissing } from './without-missing.ts'

const settledQuestion = z.object({
  question: s.question,
  at: z.number(),
  outcome: z.string().describe('The choice of the person, or "expired" or "withdrawn"'),
  by: z.string().optional(),
  why: z.string().optional(),
  content: z.record(z.string(), z.unknown()).optional().describe('What the person wrote or changed'),
})

const foundLines = z.object({
  items: z.array(s.ledgerLine),
  older: z.number().optional().describe('Where to go on, as "before"; missing when all was searched'),
  isIndexed: z.boolean().describe('False if the newest lines cannot be searched yet'),
})

/** Routes of the ledger, and of questions that were settled. */
export const ledgerRoutes = {
  ledger: route({
    method: 'GET',
    path: '/api/ledger',
    needs: 'nothing',
    says: 'What was done, newest first',
    query: s.ledgerFilter,
    answer: foundLines,
    async handle(filter, { host }) {
      const isIndexed = await isIndexedFor(host, withoutMissing(filter))
      const { lines, ...older } = searchLedger(host.store, withoutMissing(filter))
      return { items: [...lines], ...older, isIndexed }
    },
  }),
  acts: route({
    method: 'GET',
    path: '/api/acts',
    needs: 'nothing',
    says: 'Acts that match, each with all of its lines, oldest first; lines without an act are among them',
    query: s.ledgerFilter,
    answer: foundLines,
    async handle(filter, { host }) {
      const isIndexed = await isIndexedFor(host, withoutMissing(filter))
      const { lines, ...older } = searchActs(host.store, withoutMissing(filter))
      return { items: [...lines], ...older, isIndexed }
    },
  }),
  callStatistics: route({
    method: 'GET',
    path: '/api/calls/statistics',
    needs: 'nothing',
    says: 'Calls, failures and durations without waits for a person, in 60 steps of a range of time',
    query: z.strictObject({
      since: z.coerce.number(),
      until: z.coerce.number(),
      server: z.string().optional(),
      principal: z.string().optional(),
    }),
    answer: z.object({
      stepMs: z.number(),
      at: z.array(z.number()),
      calls: z.array(z.number()),
      failed: z.array(z.number()),
      p50: z.array(z.number().nullable()),
      p95: z.array(z.number().nullable()),
      all: z.object({
        calls: z.number(),
        failed: z.number(),
        p50: z.number().nullable(),
        p95: z.number().nullable(),
      }),
      isWhole: z.boolean().describe('False if there were more lines than are counted at once'),
    }),
    async handle(which, { host }) {
      const { at, calls, failed, p50, p95, ...rest } = await callStatistics(host.store, withoutMissing(which))
      return { at: [...at], calls: [...calls], failed: [...failed], p50: [...p50], p95: [...p95], ...rest }
    },
  }),
  settledQuestions: route({
    method: 'GET',
    path: '/api/settled-questions',
    needs: 'nothing',
    says: 'Questions that wait no more, newest first, with what they were about and how they ended',
    query: z.strictObject({
      id: z.string().optional(),
      act: z.string().optional(),
      since: z.coerce.number().optional(),
      until: z.coerce.number().optional(),
      most: z.coerce.number().int().min(1).max(200).optional(),
    }),
    answer: z.object({
      items: z.array(settledQuestion),
    }),
    handle: ({ most = 50, ...filter }, { host }) => ({
      items: host.inbox.pastQuestions(withoutMissing(filter), most).map(shownSettlement),
    }),
  }),
  verify: route({
    method: 'GET',
    path: '/api/ledger/verify',
    needs: 'nothing',
    says: 'Whether the ledger is whole, and as it was signed',
    query: z.strictObject({ after: z.coerce.number().int().min(0).optional() }),
    answer: z.object({
      lines: z.number(),
      broken: z.string().optional(),
      signedUpTo: z.number().describe('The last line that a signature covers'),
      unsignedUpTo: z.number().describe('Lines up to this one were written before the key was made'),
      publicKey: z.string(),
    }),
    handle: ({ after }, { host }) => {
      const { broken, ...rest } = host.ledger.verify({ after })
      return { ...rest, ...(broken && { broken: broken.why }) }
    },
  }),
  ledgerTip: route({
    method: 'GET',
    path: '/api/ledger/tip',
    needs: 'nothing',
    says: 'The end of the ledger with a signature over it',
    answer: s.signedTip,
    handle: (_input, { host }) => host.ledger.signedTip(),
  }),
  exportLedger: route({
    method: 'GET',
    path: '/api/ledger/export',
    needs: 'nothing',
    says: 'Lines as they were written, oldest first, from one number on; each is a line of JSON with its hash. The tip comes with the last ones',
    query: z.strictObject({ after: z.coerce.number().int().min(0).optional() }),
    answer: z.object({ lines: z.array(z.string()), after: z.number(), tip: s.signedTip.optional() }),
    async handle({ after = 0 }, { host }) {
      const tip = await host.ledger.signedTip()
      const lines = [...firstOf(host.ledger.lines(after, tip.number), exportedAtOnce)]
      const last = lines.at(-1)?.number ?? after
      return { lines: lines.map((line) => JSON.stringify(line)), after: last, ...(last >= tip.number && { tip }) }
    },
  }),
  act: route({
    method: 'GET',
    path: '/api/acts/{act}',
    needs: 'nothing',
    says: 'All that is known of one act, with arguments and result as far as they were kept',
    answer: z.object({ lines: z.array(s.ledgerLine), payloads: z.record(z.string(), z.unknown()) }),
    handle: ({ act }, { host }) => ({
      lines: [...queryLedger(host.store, { act })],
      payloads: host.ledger.payloads.of(act),
    }),
  }),
  forget: route({
    method: 'POST',
    path: '/api/forget',
    needs: 'person',
    says: 'Deletes recorded arguments and results; the ledger stays whole',
    body: z.strictObject({ server: z.string().optional() }),
    answer: z.object({ removed: z.number() }),
    async handle(which, { host }) {
      const removed = await host.ledger.payloads.forget(withoutMissing(which))
      host.searchIndex.wake()
      return { removed }
    },
  }),
}

function isIndexedFor({ searchIndex }: Host, { search }: LedgerSearch): boolean | Promise<boolean> {
  if (search === undefined) return true
  if (searchIndex.canSearch) return searchIndex.catchUp()
  const { node } = process.versions
  const fix = 'start the host with Node 22.16 or newer, or filter by time, server, tool or outcome'
  throw new ApiError(501, `Cannot search for words: Node ${node} has no full-text search in its SQLite; ${fix}`)
}

/** A settled question without what looks like a secret. */
function shownSettlement({ question, settlement }: PastQuestion): z.output<typeof settledQuestion> {
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
