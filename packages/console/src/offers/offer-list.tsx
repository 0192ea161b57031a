import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react'
import { Badge } from '../parts/badge.tsx'
import listStyles from '../parts/list-beside.module.css'
import { itemProps } from '../parts/list-beside.tsx'
import { plural } from '../text/plural.ts'
import { Said } from '../text/said.tsx'
import type { ListedOffer } from './listed-offer.ts'
import styles from './offers.module.css'

const rowHeight = 52

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

/** Everything of one kind that servers offer: searched while one types, and only what is seen is drawn. */
export function OfferList({ offers, base, noun, chosen: [server, name], children }: OfferListProps) {
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text)
  const found = useMemo(() => searchOffers(offers, wanted), [offers, wanted])
  const place = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: found.length,
    getScrollElement: () => place.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  })
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
        <ul className={styles.rows} style={{ height: rows.getTotalSize() }} aria-label={`${noun}s`}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const offer = found[index]
            if (!offer) return null
            return (
              <li key={offer.key} className={styles.row} style={{ transform: `translateY(${start}px)` }}>
                <Link
                  to={`/${base}/$server/$name`}
                  params={{ server: offer.server, name: offer.name }}
                  {...itemProps(offer.server === server && offer.name === name)}
                >
                  <span className={listStyles.name}>
                    <Said text={offer.title} oneLine />{' '}
                    {offer.mark !== undefined && <Badge tone="accent">{offer.mark}</Badge>}
                  </span>
                  <span className={listStyles.of}>
                    <Said text={offer.of} oneLine />
                  </span>
                </Link>
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

/** The offers in which all words of a text occur; those whose name has the first of them come first. */
function searchOffers(offers: readonly ListedOffer[], wanted: string): readonly ListedOffer[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const [first] = words
  if (first === undefined) return offers
  const found = offers.filter(({ text }) => words.every((word) => text.includes(word)))
  const isNamed = ({ title }: ListedOffer) => title.toLowerCase().includes(first)
  return [...found.filter(isNamed), ...found.filter((one) => !isNamed(one))]
}
