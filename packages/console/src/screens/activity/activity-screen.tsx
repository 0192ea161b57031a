import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { type Activity, activity, maxKeptLines } from '../../host/activity.ts'
import { activityView, changeView } from '../../host/activity-view.ts'
import { type ActFilter, type ActRow, actRows, everyAct, filterActs } from '../../host/acts.ts'
import { mergeLines } from '../../host/merge-lines.ts'
import { inboxQuery, type Question, routeQuery } from '../../host/queries.ts'
import { useStore } from '../../host/store.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Screen } from '../../shell/screen.tsx'
import { formatNumber } from '../../text/number.ts'
import { plural } from '../../text/plural.ts'
import { ActDetail } from './act-detail.tsx'
import { ActFilters } from './act-filters.tsx'
import { ActTable, openedAs } from './act-table.tsx'
import styles from './activity.module.css'
import { CallStrips } from './call-strips.tsx'
import { ExportPanel } from './export-panel.tsx'
import { PastQuestions } from './past-questions.tsx'
import { useFoundActs } from './use-found-acts.ts'

// loaded when it is first looked at
const Waterfall = lazy(async () => ({ default: (await import('./waterfall.tsx')).Waterfall }))

/** Activity screen: every act as it happens. */
export function ActivityScreen() {
  const { act } = useParams({ strict: false })
  const { find } = useSearch({ strict: false })
  const navigate = useNavigate()
  const live = useStore(activity)
  const { filter, isWaterfall, paused } = useStore(activityView)
  const [isExporting, setExporting] = useState(false)
  useEffect(() => {
    if (find !== undefined) changeView({ filter: { ...everyAct, text: find } })
  }, [find])
  const shown = useDeferredValue(paused?.activity ?? live)
  const [olderThan, setOlderThan] = useState<number>()
  const past = useFoundActs(filter, olderThan)
  const pastKeys = useMemo(() => new Set(actRows(past.lines).map(({ key }) => key)), [past.lines])
  const questions = useQuery(inboxQuery).data?.items
  const rows = useMemo(() => actRows(mergeLines(shown.lines, past.lines), questions), [past.lines, shown, questions])
  const found = useMemo(() => filterActs(rows, filter, pastKeys), [rows, filter, pastKeys])
  const first = shown.lines[0]?.number ?? 1
  const showOlder =
    past.more ?? (isLive(filter) && olderThan === undefined && first > 1 ? () => setOlderThan(first) : undefined)
  const servers = useMemo(() => namesIn(rows.map(({ server }) => server)), [rows])
  const clients = useMemo(() => namesIn(rows.map(({ principal }) => principal)), [rows])
  const known = act === undefined ? undefined : rows.find((row) => openedAs(row) === act)
  const linked = useLinkedAct(known === undefined ? act : undefined, questions)
  const chosen = known ?? linked.row
  const choose = (one: string) => void navigate({ to: '/activity/$act', params: { act: one } })
  return (
    <Screen
      title="Activity"
      about={`${shownInWords(found)} shown`}
      actions={
        <>
          <Button aria-pressed={isWaterfall} onClick={() => changeView({ isWaterfall: !isWaterfall })}>
            Waterfall
          </Button>
          <Button aria-expanded={isExporting} onClick={() => setExporting(!isExporting)}>
            Save…
          </Button>
          <Button
            aria-pressed={paused !== undefined}
            onClick={() => changeView({ paused: paused ? undefined : { activity: live, at: Date.now() } })}
          >
            {paused ? `Go on${meanwhile(paused.activity, live)}` : 'Pause'}
          </Button>
        </>
      }
    >
      <div className={`${styles.above} ${chosen ? styles.behind : ''}`}>
        <NotKept activity={live} />
        {isExporting && <ExportPanel rows={found} servers={servers} />}
        <CallStrips
          lines={shown.lines}
          filter={filter}
          onPick={(range) => changeView({ filter: { ...filter, ...range } })}
        />
        <ActFilters
          filter={filter}
          servers={servers}
          clients={clients}
          onChange={(changed) => changeView({ filter: changed })}
        />
      </div>
      <Failure error={past.error} />
      {!past.isIndexed && <Notice>The newest calls cannot be searched yet; they are added in a while.</Notice>}
      {linked.isMissing && (
        <Empty title="This call is not in the ledger">It was removed with age, or is of another host.</Empty>
      )}
      {found.length === 0 && !chosen ? (
        <NothingFound isSearching={past.isSearching} isFiltered={filter !== everyAct} />
      ) : (
        <div className={chosen ? styles.columns : undefined}>
          {chosen && (
            <Link to="/activity" className={styles.back} activeOptions={{ exact: true }}>
              ← All calls
            </Link>
          )}
          {isWaterfall ? (
            <Suspense>
              <Waterfall rows={found} chosen={act} pausedAt={filter.to ?? paused?.at} onChoose={choose} />
            </Suspense>
          ) : (
            <ActTable rows={found} chosen={act} onChoose={choose} />
          )}
          {chosen?.act !== undefined && <ActDetail key={chosen.act} row={chosen} act={chosen.act} />}
          {chosen?.act === undefined && chosen?.question !== undefined && (
            <PastQuestions key={chosen.question} of={{ id: chosen.question }} />
          )}
        </div>
      )}
      {showOlder && (
        <div className={chosen ? styles.behind : undefined}>
          <Button onClick={showOlder}>Older calls</Button>
        </div>
      )}
    </Screen>
  )
}

/** Number of calls, and of what else is listed: starts, decisions, changes. */
function shownInWords(rows: readonly ActRow[]): string {
  const calls = rows.filter(({ actKind }) => actKind === 'call').length
  const others = rows.length - calls
  return others === 0 ? plural(calls, 'call') : `${plural(calls, 'call')} and ${plural(others, 'other event')}`
}

function isLive({ text, from, to }: ActFilter): boolean {
  return text.trim() === '' && from === undefined && to === undefined
}

/** An act of the ledger that is not in the list, such as one that a link leads to. */
function useLinkedAct(
  act: string | undefined,
  questions: readonly Question[] | undefined,
): { readonly row: ActRow | undefined; readonly isMissing: boolean } {
  const { data } = useQuery({ ...routeQuery('act', { act: act ?? '' }), enabled: act !== undefined })
  if (act === undefined || !data) return { row: undefined, isMissing: false }
  const [row] = actRows(data.lines.toReversed(), questions)
  return { row, isMissing: row === undefined }
}

function NothingFound({ isSearching, isFiltered }: { readonly isSearching: boolean; readonly isFiltered: boolean }) {
  if (isSearching) return <Empty title="Searching…" />
  return (
    <Empty title="Nothing happened that fits">
      <p>What clients do appears here the moment they do it.</p>
      {isFiltered && <Button onClick={() => changeView({ filter: everyAct })}>Show everything</Button>}
    </Empty>
  )
}

/** Number of acts that came during the pause. */
function meanwhile(paused: Activity, live: Activity): string {
  const last = paused.lines.at(-1)?.number ?? 0
  const came = new Set(live.lines.flatMap(({ number, line }) => (number > last ? [line.act ?? number] : []))).size
  if (came === 0) return ''
  // dropped lines are not among the lines any more
  const isAll = (live.lines[0]?.number ?? 0) <= last + 1
  return ` (${isAll ? '' : 'at least '}${formatNumber(came)} more came)`
}

function namesIn(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter(Boolean))].sort()
}

function NotKept({ activity: { dropped, missed } }: { readonly activity: Activity }) {
  if (dropped === 0 && missed === 0) return null
  return (
    <Notice tone="warn">
      {dropped > 0 &&
        `This page keeps ${formatNumber(maxKeptLines)} lines; ${plural(dropped, 'older one is', 'older ones are')} only in the ledger. `}
      {missed > 0 && `${plural(missed, 'event')} came faster than this page could read; the ledger has them.`}
    </Notice>
  )
}
