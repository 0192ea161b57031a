import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useRef } from 'react'
import { type ActRow, outcomeWords } from '../../host/acts.ts'
import { arrowKeys } from '../../parts/arrow-keys.ts'
import { Badge } from '../../parts/badge.tsx'
import { clockTime, duration } from '../../text/relative-time.ts'
import { Said } from '../../text/said.tsx'
import styles from './activity.module.css'

const rowHeight = 36

export interface ActTableProps {
  readonly rows: readonly ActRow[]
  readonly chosen: string | undefined
  onChoose(act: string): void
}

/** Acts, newest first; only those that are seen are drawn. */
export function ActTable({ rows, chosen, onChoose }: ActTableProps) {
  const place = useRef<HTMLDivElement>(null)
  // keyed by place: while much happens every row moves on, and to write over rows is cheaper than to make new ones
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  })
  const withArrows = useCallback((element: HTMLDivElement | null) => {
    place.current = element
    return arrowKeys(element)
  }, [])
  return (
    <div ref={withArrows} className={styles.table}>
      <ul className={styles.rows} style={{ height: virtual.getTotalSize() }} aria-label="Acts">
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index]
          if (!row) return null
          return (
            <li key={key} className={styles.place} style={{ transform: `translateY(${start}px)` }}>
              <button
                type="button"
                className={`${styles.row} ${row.act !== undefined && row.act === chosen ? styles.chosen : ''}`}
                disabled={row.act === undefined}
                onClick={() => row.act !== undefined && onChoose(row.act)}
              >
                <span className={styles.at}>{clockTime(row.at)}</span>
                <span className={styles.who}>
                  <Said text={row.principal} oneLine />
                </span>
                <span className={styles.what}>
                  <Said text={row.server} oneLine /> <strong>{<Said text={row.target} oneLine />}</strong>
                </span>
                <span className={styles.ms}>{row.ms === undefined ? '' : duration(row.ms)}</span>
                <Badge tone={toneOf(row)}>{outcomeWords(row.outcome)}</Badge>
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function toneOf({ outcome, act }: ActRow) {
  if (outcome === 'ok') return 'good'
  if (outcome === 'running') return 'accent'
  if (outcome === 'waiting') return 'warn'
  return act === undefined ? 'plain' : 'bad'
}
