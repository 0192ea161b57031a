import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actRows, everyAct, filterActs, outcomeOf, ownMs } from '../../host/acts.ts'
import type { ChainedLine, Question } from '../../host/queries.ts'
import { actsAsCsv, actsAsJson } from './act-list-file.ts'
import { dayItems } from './day-items.ts'
import { otlpTraces } from './otlp.ts'
import { stateSpans } from './state-spans.ts'
import { fieldTime, namedRange, timeInField } from './time-range.ts'

const trace = '0123456789abcdef0123456789abcdef'
const act = '3f0e5c1a-0000-4000-8000-000000000001'

function line(number: number, at: number, more: Partial<ChainedLine['line']>): ChainedLine {
  return { number, at, hash: '', previous: '', line: { kind: 'ended', act, server: 'one', target: 'write', ...more } }
}

const lines = [
  line(1, 1_000, { kind: 'began', actKind: 'call', principal: 'editor', trace }),
  line(2, 4_000, { kind: 'decided', question: 'q', outcome: 'once', by: 'console', principal: 'editor', ms: 2_900 }),
  line(3, 4_200, {
    kind: 'ended',
    actKind: 'call',
    question: 'q',
    principal: 'editor',
    outcome: 'ok',
    ms: 3_200,
    trace,
  }),
]

test('actRows: one act from its lines, with the time that it waited for a person', () => {
  const [row, ...others] = actRows(lines)
  assert.deepEqual(others, [])
  assert.deepEqual([row?.outcome, row?.ms, row?.at, row?.to], ['ok', 3_200, 1_000, 4_200])
  assert.deepEqual(row?.waits, [{ from: 1_100, to: 4_000, outcome: 'once by console' }])
  assert.equal(actRows(lines.slice(0, 2))[0]?.outcome, 'running')
})

test('actRows: an act waits while a question about it is open, and ends as it ended', () => {
  const question = { id: 'q', detail: { act } } as unknown as Question
  const other = { id: 'r', detail: {} } as unknown as Question
  const outcomes = (count: number, ...questions: Question[]) =>
    actRows(lines.slice(0, count), questions).map(({ outcome }) => outcome)
  assert.deepEqual(outcomes(1, other, question), ['waiting'])
  assert.deepEqual(outcomes(1, other), ['running'])
  assert.deepEqual(outcomes(3, question), ['ok'])
  const waiting = { ...everyAct, outcome: 'waiting' } as const
  assert.equal(filterActs(actRows(lines.slice(0, 1), [question]), waiting).length, 1)
})

test('actRows: a call waits while its server asks a person, and so does the form itself', () => {
  const began = (name: string, more: Partial<ChainedLine['line']>) =>
    line(1, 1_000, { kind: 'began', act: name, principal: 'editor', server: 'files', ...more })
  const all = [
    began('call', { actKind: 'call', target: 'write_file' }),
    began('form', { actKind: 'elicit', target: '@elicit' }),
    began('other', { actKind: 'call', target: 'read_file' }),
  ]
  const detail = { act: 'form', during: { target: 'write_file', client: 'editor' } }
  const rows = actRows(all, [{ id: 'q', server: 'files', detail } as unknown as Question])
  assert.deepEqual(Object.fromEntries(rows.map((row) => [row.act, row.outcome])), {
    ...{ call: 'waiting', form: 'waiting', other: 'running' },
  })
})

test('actRows: the last that began is first, whichever ended first', () => {
  const quick = line(4, 4_100, { act: 'quick', actKind: 'call', outcome: 'ok', ms: 10 })
  assert.deepEqual(
    actRows([...lines.slice(0, 2), quick, ...lines.slice(2)]).map((row) => row.act),
    ['quick', act],
  )
  const slow = line(5, 9_000, { act: 'slow', actKind: 'call', outcome: 'ok', ms: 8_500 })
  assert.deepEqual(
    actRows([...lines, quick, slow]).map((row) => row.act),
    ['quick', act, 'slow'],
  )
})

test('actRows: an act that was let go of shows what was decided later, and only the wait it was there for', () => {
  const waiting = line(3, 8_000, {
    kind: 'refused',
    ...{ actKind: 'call', question: 'q', principal: 'editor', outcome: 'waiting', ms: 7_000, isSent: false, trace },
  })
  const decision = (outcome: string, kind: 'decided' | 'refused' = 'decided') =>
    line(4, 28_300, { kind, question: 'q', outcome, by: 'console', ms: 27_300 })
  const [began] = lines
  const rowOf = (...more: readonly ChainedLine[]) => actRows([...(began ? [began] : []), waiting, ...more])[0]
  assert.equal(rowOf()?.outcome, 'waiting')
  assert.deepEqual(rowOf(decision('once'))?.waits, [{ from: 1_000, to: 8_000, outcome: 'once by console' }])
  assert.match(rowOf(decision('once'))?.why ?? '', /^the caller had gone on when console allowed it; it runs when/)
  const outcomes = [decision('once'), decision('refuse'), decision('expired', 'refused')].map(
    (one) => rowOf(one)?.outcome,
  )
  assert.deepEqual(outcomes, ['allowed later', 'refused later', 'expired'])
})

test('actRows: whether an act reached its server, as its end says; older lines of refusals say it did not', () => {
  const end = (more: Partial<ChainedLine['line']>) => actRows([line(1, 1_000, { actKind: 'call', ...more })])[0]?.isSent
  assert.equal(end({ outcome: 'ok' }), true)
  assert.equal(end({ outcome: 'cancelled', isSent: false }), false)
  assert.equal(end({ kind: 'refused', outcome: 'denied' }), false)
  assert.equal(end({ kind: 'refused', outcome: 'refused', isSent: true }), true)
})

test('filterActs: by client, outcome and words', () => {
  const rows = actRows(lines)
  assert.equal(filterActs(rows, { ...everyAct, client: 'editor', outcome: 'ok', text: 'wri one' }).length, 1)
  assert.equal(filterActs(rows, { ...everyAct, client: 'other' }).length, 0)
  assert.equal(filterActs(rows, { ...everyAct, outcome: 'failed' }).length, 0)
})

test('outcomeOf: what was refused or cancelled was decided, and has not failed', () => {
  const end = (more: Partial<ChainedLine['line']>) => {
    const [row] = actRows([line(1, 1_000, { actKind: 'call', ...more })])
    return row && [outcomeOf(row), filterActs([row], { ...everyAct, outcome: 'failed' }).length]
  }
  assert.deepEqual(end({ outcome: 'cancelled' }), ['decided', 0])
  assert.deepEqual(end({ kind: 'refused', outcome: 'denied' }), ['decided', 0])
  assert.deepEqual(end({ outcome: 'error' }), ['failed', 1])
  assert.deepEqual(end({ outcome: 'ok' }), ['ok', 0])
})

test('ownMs: the time of an act without its waits for a person', () => {
  const [row] = actRows(lines)
  assert.equal(row && ownMs(row), 300)
})

test('filterActs: between two times, and what the host found beside what the page knows', () => {
  const rows = actRows(lines)
  assert.equal(filterActs(rows, { ...everyAct, from: 4_000, to: 9_000 }).length, 1)
  assert.equal(filterActs(rows, { ...everyAct, from: 4_300 }).length, 0)
  assert.equal(filterActs(rows, { ...everyAct, to: 999 }).length, 0)
  assert.equal(filterActs(rows, { ...everyAct, text: 'invoice' }).length, 0)
  assert.equal(filterActs(rows, { ...everyAct, text: 'invoice' }, new Set([act])).length, 1)
})

test('dayItems: a heading before the first act of each day', () => {
  const now = new Date(2026, 10, 17, 10).getTime()
  const [row] = actRows(lines)
  assert.ok(row)
  const at = (day: number, hour: number) => ({ ...row, at: new Date(2026, 10, day, hour).getTime() })
  const lastYear = { ...row, at: new Date(2025, 10, 17, 10).getTime() }
  const shown = dayItems([at(17, 9), at(17, 0), at(16, 15), at(9, 15), lastYear], now)
  assert.deepEqual(
    shown.map((item) => ('day' in item ? item.day : 'act')),
    [
      ...['Today, Tuesday 17 November', 'act', 'act', 'Yesterday, Monday 16 November', 'act'],
      ...['Monday 9 November', 'act', 'Monday 17 November 2025', 'act'],
    ],
  )
})

test('namedRange: yesterday is the whole day before', () => {
  const now = new Date(2026, 10, 17, 10).getTime()
  const { from, to } = namedRange('Yesterday', now)
  assert.deepEqual([fieldTime(from), fieldTime(to)], ['2026-11-16T00:00', '2026-11-16T23:59'])
  assert.equal(timeInField(fieldTime(from)), from)
  assert.equal(timeInField(''), undefined)
})

test('actsAsCsv, actsAsJson: the list, and no text of others becomes a formula', () => {
  const [row] = actRows(lines)
  assert.ok(row)
  const csv = actsAsCsv([{ ...row, target: '=HYPERLINK("x")', why: 'one,\ntwo' }])
  const [head, ...body] = csv.split('\r\n')
  assert.match(head ?? '', /^time,client,server,target,kind,outcome,ms,/)
  assert.match(body.join(), /^1970-01-01T00:00:01.000Z,editor,one,"'=HYPERLINK\(""x""\)",call,ok,3200,300,"one,\ntwo",/)
  assert.equal(JSON.parse(actsAsJson([row]))[0].outcome, 'ok')
})

test('otlpTraces: a span for each act with its waits and requests below it, in the form of OTLP', () => {
  const about = { act, server: 'one', hop: 'server', isError: true } as const
  const spans = [{ ...about, kind: 'retry', name: 'tools/call', from: 4_050, to: 4_150 }] as const
  const { resourceSpans } = otlpTraces(actRows(lines), spans)
  const all = resourceSpans[0]?.scopeSpans[0]?.spans ?? []
  assert.deepEqual(
    all.map(({ name }) => name),
    ['call write', 'waits for a person', 'retry tools/call'],
  )
  const [root, wait, retry] = all
  assert.equal(root?.traceId, trace)
  assert.match(root?.spanId ?? '', /^[0-9a-f]{16}$/)
  assert.deepEqual([root?.startTimeUnixNano, root?.endTimeUnixNano], ['1000000000', '4200000000'])
  for (const child of [wait, retry]) assert.equal(child?.parentSpanId, root?.spanId)
  assert.deepEqual([root?.status.code, retry?.status.code], [1, 2])
})

test('stateSpans: starts and failures until the next change; the last one goes on', () => {
  const change = (state: string, at: number) => ({ server: 'one', state, why: state, at })
  const spans = stateSpans([change('starting', 1), change('ready', 2), change('failing', 5), change('starting', 9)])
  assert.deepEqual(spans, [
    { server: 'one', state: 'starting', why: 'starting', from: 1, to: 2 },
    { server: 'one', state: 'failing', why: 'failing', from: 5, to: 9 },
    { server: 'one', state: 'starting', why: 'starting', from: 9 },
  ])
})
