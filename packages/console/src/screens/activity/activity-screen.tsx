import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useState } from 'react'
import { type Activity, activity, maxKeptLines } from '../../host/activity.ts'
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
import { type ActFilter, actRows, filterActs } from './acts.ts'

/** What is happening, and what happened: every act as it happens. */
export function ActivityScreen() {
  const { act } = useParams({ strict: false })
  const { find = '' } = useSearch({ strict: false })
  const navigate = useNavigate()
  const live = useStore(activity)
  const [paused, setPaused] = useState<Activity>()
  const [filter, setFilter] = useState<ActFilter>({ text: find, server: '', outcome: '' })
  const shown = useDeferredValue(paused ?? live)
  const rows = useMemo(() => actRows(shown.lines), [shown])
  const found = useMemo(() => filterActs(rows, filter), [rows, filter])
  const servers = useMemo(() => [...new Set(rows.map(({ server }) => server).filter(Boolean))].sort(), [rows])
  const chosen = act === undefined ? undefined : rows.find((row) => row.act === act)
  const isAway = (paused?.lines.at(-1)?.number ?? 0) < (live.lines.at(-1)?.number ?? 0)
  return (
    <Screen
      title="Activity"
      about={`${plural(found.length, 'act')} shown`}
      actions={
        <Button aria-pressed={paused !== undefined} onClick={() => setPaused(paused ? undefined : live)}>
          {paused ? `Go on${isAway ? ' (more came)' : ''}` : 'Pause'}
        </Button>
      }
    >
      <NotKept activity={live} />
      <CallCurves lines={shown.lines} />
      <ActFilters filter={filter} servers={servers} onChange={setFilter} />
      {found.length === 0 ? (
        <Empty title="Nothing happened that fits">What clients do appears here the moment they do it.</Empty>
      ) : (
        <div className={chosen ? styles.columns : undefined}>
          <ActTable
            rows={found}
            chosen={act}
            onChoose={(one) => void navigate({ to: '/activity/$act', params: { act: one } })}
          />
          {chosen?.act !== undefined && <ActDetail key={chosen.act} row={chosen} act={chosen.act} />}
        </div>
      )}
    </Screen>
  )
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
