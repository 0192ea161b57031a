import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import type { CatalogueEntry } from '../host/queries.ts'
import { plural } from '../text/plural.ts'
import { Said } from '../text/said.tsx'
import styles from './offers.module.css'
import { searchable, searchOffers } from './search-offers.ts'

const rowHeight = 52

export interface OfferListProps {
  readonly entries: readonly CatalogueEntry[]
  /** The screen they are on. */
  readonly base: 'tools' | 'prompts' | 'resources'
  /** What one of them is called. */
  readonly noun: string
  /** The server and name of the one that is open. */
  readonly chosen: readonly [server: string | undefined, name: string | undefined]
}

/** Everything of one kind that servers offer: searched while one types, and only what is seen is drawn. */
export function OfferList({ entries, base, noun, chosen: [server, name] }: OfferListProps) {
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text)
  const offers = useMemo(() => searchable(entries), [entries])
  const found = useMemo(() => searchOffers(offers, wanted), [offers, wanted])
  const place = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: found.length,
    getScrollElement: () => place.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  })
  return (
    <div className={styles.side}>
      <input
        type="search"
        aria-label={`Search ${noun}s`}
        placeholder={`Search ${plural(entries.length, noun)}`}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <p className="visually-hidden" role="status">
        {plural(found.length, noun)} found
      </p>
      <div ref={place} className={styles.list}>
        <ul className={styles.rows} style={{ height: rows.getTotalSize() }} aria-label={`${noun}s`}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const entry = found[index]
            if (!entry) return null
            const isChosen = entry.server === server && entry.original === name
            return (
              <li key={entry.name} className={styles.row} style={{ transform: `translateY(${start}px)` }}>
                <Link
                  to={`/${base}/$server/$name`}
                  params={{ server: entry.server, name: entry.original }}
                  className={`${styles.offer} ${isChosen ? styles.chosen : ''}`}
                  aria-current={isChosen ? 'true' : undefined}
                >
                  <span className={styles.name}>
                    <Said text={entry.original} oneLine />
                  </span>
                  <span className={styles.of}>
                    <Said text={entry.server} oneLine />
                    {entry.standing !== 'usable' && ` · ${entry.standing}`}
                    {entry.class === 'destroys' && ' · destroys'}
                  </span>
                </Link>
              </li>
            )
          })}
        </ul>
      </div>
      {found.length === 0 && <p className={styles.none}>Nothing is found.</p>}
    </div>
  )
}
