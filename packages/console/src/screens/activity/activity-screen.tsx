import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { type Activity, activity, maxKeptLines } from '../../host/activity.ts'
import { activityView, changeView } from '../../host/activity-view.ts'
import { actRows, everyAct, filterActs } from '../../host/acts.ts'
import { useStore } from '../../host/store.ts'
import { Button } from '../../parts/button.tsx'
import { CallCurves } from '../../parts/call-curves.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Screen } from '../../shell/screen.tsx'
import { plural } from '../../text/plural.ts'
import { ActDetail } from './act-detail.tsx'
import { ActFilters } from './act-filters.tsx'
import { ActTable } from './act-table.tsx'
import styles from './activity.module.css'
import { ExportPanel } from './export-panel.tsx'

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
  const rows = useMemo(() => actRows(shown.lines), [shown])
  const found = useMemo(() => filterActs(rows, filter), [rows, filter])
  const servers = useMemo(() => namesIn(rows.map(({ server }) => server)), [rows])
  const clients = useMemo(() => namesIn(rows.map(({ principal }) => principal)), [rows])
  const chosen = act === undefined ? undefined : rows.find((row) => row.act === act)
  const choose = (one: string) => void navigate({ to: '/activity/$act', params: { act: one } })
  return (
    <Screen
      title="Activity"
      about={`${plural(found.length, 'act')} shown`}
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
        <CallCurves lines={shown.lines} />
        <ActFilters
          filter={filter}
          servers={servers}
          clients={clients}
          onChange={(changed) => changeView({ filter: changed })}
        />
      </div>
      {found.length === 0 ? (
        <Empty title="Nothing happened that fits">What clients do appears here the moment they do it.</Empty>
      ) : (
        <div className={chosen ? styles.columns : undefined}>
          {chosen && (
            <Link to="/activity" className={styles.back} activeOptions={{ exact: true }}>
              ← All acts
            </Link>
          )}
          {isWaterfall ? (
            <Suspense>
              <Waterfall rows={found} chosen={act} pausedAt={paused?.at} onChoose={choose} />
            </Suspense>
          ) : (
            <ActTable rows={found} chosen={act} onChoose={choose} />
          )}
          {chosen?.act !== undefined && <ActDetail key={chosen.act} row={chosen} act={chosen.act} />}
        </div>
      )}
    </Screen>
  )
}

/** Number of acts that came during the pause. */
function meanwhile(paused: Activity, live: Activity): string {
  const last = paused.lines.at(-1)?.number ?? 0
  const came = new Set(live.lines.flatMap(({ number, line }) => (number > last ? [line.act ?? number] : []))).size
  if (came === 0) return ''
  // dropped lines are not among the lines any more
  const isAll = (live.lines[0]?.number ?? 0) <= last + 1
  return ` (${isAll ? '' : 'at least '}${came.toLocaleString('en')} more came)`
}

function namesIn(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter(Boolean))].sort()
}

function NotKept({ activity: { dropped, missed } }: { readonly activity: Activity }) {
  if (dropped === 0 && missed === 0) return null
  return (
    <Notice tone="warn">
      {dropped > 0 &&
        `This page keeps ${maxKeptLines.toLocaleString('en')} lines; ${plural(dropped, 'older one is', 'older ones are')} only in the ledger. `}
      {missed > 0 && `${plural(missed, 'event')} came faster than this page could read; the ledger has them.`}
    </Notice>
  )
}
