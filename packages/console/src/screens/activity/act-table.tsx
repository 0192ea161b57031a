import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { type ActRow, outcomeOf, outcomeWords, ownMs } from '../../host/acts.ts'
import { arrowKeys } from '../../parts/arrow-keys.ts'
import { Badge } from '../../parts/badge.tsx'
import { clockTime, duration } from '../../text/relative-time.ts'
import { Said } from '../../text/said.tsx'
import styles from './activity.module.css'
import { type DayItem, dayItems } from './day-items.ts'

const dayHeight = 30
const rowHeight = 36
/** Two lines where there is no room for one: the tool, and below it where it was and when. */
const narrowRowHeight = 56
const narrow = matchMedia('(max-width: 720px)')

export interface ActTableProps {
  readonly rows: readonly ActRow[]
  readonly chosen: string | undefined
  onChoose(act: string): void
}

/** Acts below the days they began on, newest first; only those that are seen are drawn. */
export function ActTable({ rows, chosen, onChoose }: ActTableProps) {
  const place = useRef<HTMLDivElement>(null)
  const items = useMemo(() => dayItems(rows, Date.now()), [rows])
  const isNarrow = useSyncExternalStore(followNarrow, () => narrow.matches)
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => place.current,
    estimateSize: (index) => heightOf(items[index], isNarrow),
    // by what it shows: a row that a person is about to press moves on, and does not become another one
    getItemKey: useCallback((index: number) => keyOf(items[index]), [items]),
    overscan: 10,
  })
  // a day may stand where an act was, whose height is another one
  const days = useMemo(() => items.flatMap((item, index) => ('day' in item ? index : [])).join(), [items])
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured anew when a height changed
  useLayoutEffect(() => virtual.measure(), [days, isNarrow])
  const withArrows = useCallback((element: HTMLDivElement | null) => {
    place.current = element
    return arrowKeys(element)
  }, [])
  return (
    <div ref={withArrows} className={styles.table}>
      <ul className={styles.rows} style={{ height: virtual.getTotalSize() }} aria-label="Calls">
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const item = items[index]
          if (!item) return null
          return (
            <li key={key} className={styles.place} style={{ transform: `translateY(${start}px)` }}>
              {'day' in item ? (
                <h2 className={styles.day}>{item.day}</h2>
              ) : (
                <Row row={item.row} isChosen={openedAs(item.row) === chosen} onChoose={onChoose} />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** The name under which a row is opened: that of its act, or of the question that it is. */
export function openedAs({ act, question }: ActRow): string | undefined {
  return act ?? question
}

interface RowProps {
  readonly row: ActRow
  readonly isChosen: boolean
  onChoose(act: string): void
}

function Row({ row, isChosen, onChoose }: RowProps) {
  const opened = openedAs(row)
  const ms = ownMs(row)
  return (
    <button
      type="button"
      className={`${styles.row} ${opened !== undefined && isChosen ? styles.chosen : ''}`}
      disabled={opened === undefined}
      onClick={() => opened !== undefined && onChoose(opened)}
    >
      <span className={styles.at}>{clockTime(row.at)}</span>
      <span className={styles.who}>
        <Said text={row.principal} oneLine />
      </span>
      <span className={styles.what}>
        <span className={styles.server}>
          <Said text={row.server} oneLine />
        </span>{' '}
        {row.target !== '' && (
          <strong>
            <Said text={row.target} oneLine />
          </strong>
        )}
      </span>
      <span className={styles.ms}>{ms === undefined ? '' : duration(ms)}</span>
      <Badge tone={outcomeTones[outcomeOf(row)]}>{outcomeWords(row.outcome)}</Badge>
    </button>
  )
}

function keyOf(item: DayItem | undefined): string {
  if (!item) return ''
  return 'day' in item ? `day ${item.day}` : item.row.key
}

function heightOf(item: DayItem | undefined, isNarrow: boolean): number {
  if (item && 'day' in item) return dayHeight
  return isNarrow ? narrowRowHeight : rowHeight
}

function followNarrow(changed: () => void): () => void {
  narrow.addEventListener('change', changed)
  return () => narrow.removeEventListener('change', changed)
}

/** Red is for what failed; what was refused, cancelled or decided is grey. */
export const outcomeTones = { ok: 'good', running: 'accent', waiting: 'warn', decided: 'plain', failed: 'bad' } as const
