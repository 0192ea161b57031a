import { Link } from '@tanstack/react-router'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { Badge } from '../parts/badge.tsx'
import listStyles from '../parts/list-beside.module.css'
import { itemProps } from '../parts/list-beside.tsx'
import { formatNumber } from '../text/number.ts'
import { plural } from '../text/plural.ts'
import { Said } from '../text/said.tsx'
import { ClassMark } from './class-mark.tsx'
import type { ListedOffer } from './listed-offer.ts'
import { type OfferRow, offerRows, searchOffers } from './offer-rows.ts'
import styles from './offers.module.css'

const rowHeight = 26
const headHeight = 28

export interface OfferListProps {
  readonly offers: readonly ListedOffer[]
  /** The screen they are on. */
  readonly base: 'tools' | 'prompts' | 'resources'
  /** Noun for one of them. */
  readonly noun: string
  /** The server and name of the one that is open. */
  readonly chosen: readonly [server: string | undefined, name: string | undefined]
  /** Content below the list. */
  readonly children?: ReactNode
}

/** Everything of one kind that servers offer, by server: searched while one types, and only what is seen is drawn. */
export function OfferList({ offers, base, noun, chosen: [server, name], children }: OfferListProps) {
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text)
  const found = useMemo(() => searchOffers(offers, wanted), [offers, wanted])
  const { place, rows, virtual, stuck } = useVirtualRows(found)
  return (
    <>
      <input
        type="search"
        aria-label={`Search ${noun}s`}
        placeholder={`Search ${plural(offers.length, noun)}`}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <p className="visually-hidden" role="status">
        {plural(found.length, noun)} found
      </p>
      <div ref={place} className={styles.scroll}>
        <ul className={styles.rows} style={{ height: virtual.getTotalSize() }} aria-label={`${noun}s`}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const row = rows[index]
            if (!row) return null
            const isStuck = index === stuck.current
            return (
              <li
                key={key}
                className={isStuck ? styles.stuck : styles.row}
                style={isStuck ? undefined : { transform: `translateY(${start}px)` }}
              >
                {'head' in row ? (
                  <h2 className={styles.server}>
                    <Said text={row.head} oneLine /> <span className={styles.many}>{formatNumber(row.count)}</span>
                  </h2>
                ) : (
                  <Row
                    offer={row.offer}
                    base={base}
                    isChosen={row.offer.server === server && row.offer.name === name}
                  />
                )}
              </li>
            )
          })}
        </ul>
      </div>
      {found.length === 0 && <p className={listStyles.none}>Nothing is found.</p>}
      {children}
    </>
  )
}

interface RowProps {
  readonly offer: ListedOffer
  readonly base: OfferListProps['base']
  readonly isChosen: boolean
}

/** One offer on one line; its server is said to who cannot see the head above it. */
function Row({ offer: { server, name, title, of, mark, class: kind }, base, isChosen }: RowProps) {
  const { className, ...rest } = itemProps(isChosen)
  const aside = of.startsWith(server) ? of.slice(server.length).replace(/^ · /, '') : of
  return (
    <Link
      to={`/${base}/$server/$name`}
      params={{ server, name }}
      className={`${className} ${styles.offer} ${kind ? styles.classed : ''}`}
      {...rest}
    >
      <span className={listStyles.name}>
        <Said text={title} oneLine />
      </span>{' '}
      {mark !== undefined && <Badge tone="accent">{mark}</Badge>}
      <span className={listStyles.of}>
        <span className="visually-hidden">
          {server}
          {aside !== '' && ' · '}
        </span>
        <Said text={aside} oneLine />
      </span>
      {kind && <ClassMark of={kind} />}
    </Link>
  )
}

/** The rows of a list that are drawn: those in sight, and the head of the server that they belong to. */
function useVirtualRows(found: readonly ListedOffer[]) {
  const place = useRef<HTMLDivElement>(null)
  const stuck = useRef(0)
  const rows = useMemo(() => offerRows(found), [found])
  const heads = useMemo(() => rows.flatMap((row, index) => ('head' in row ? index : [])), [rows])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: (index) => (isHead(rows[index]) ? headHeight : rowHeight),
    // heights are kept by key, and a head may stand where an offer was
    getItemKey: useCallback((index: number) => keyOf(rows[index]), [rows]),
    rangeExtractor: useCallback(
      (range: Range) => {
        stuck.current = heads.findLast((head) => head <= range.startIndex) ?? 0
        return [...new Set([stuck.current, ...defaultRangeExtractor(range)])].sort((one, other) => one - other)
      },
      [heads],
    ),
    overscan: 6,
  })
  return { place, rows, virtual, stuck }
}

function isHead(row: OfferRow | undefined): boolean {
  return row !== undefined && 'head' in row
}

function keyOf(row: OfferRow | undefined): string {
  if (!row) return ''
  return 'head' in row ? `head ${row.head}` : row.offer.key
}
