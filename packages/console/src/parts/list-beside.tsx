import { Link } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { arrowKeys } from './arrow-keys.ts'
import styles from './list-beside.module.css'

export interface ListBesideProps {
  readonly list: ReactNode
  /** Whether one of the list is open: a narrow screen then shows that alone. */
  readonly isOpen: boolean
  /** Where the list alone is, and what it is called there. */
  readonly back: { readonly to: string; readonly title: string }
  /** What one of the list holds. */
  readonly children: ReactNode
}

/** A list, walked through with the arrow keys, and beside it what one of it holds. */
export function ListBeside({ list, isOpen, back, children }: ListBesideProps) {
  const columns = useRef<HTMLDivElement>(null)
  useFocusInSight(columns, isOpen)
  return (
    <div ref={columns} className={`${styles.columns} ${isOpen ? styles.open : ''}`}>
      <div className={styles.side} ref={arrowKeys}>
        {list}
      </div>
      <div className={styles.detail}>
        {isOpen && (
          <Link to={back.to} className={styles.back} data-back="" activeOptions={{ exact: true }}>
            ← {back.title}
          </Link>
        )}
        {children}
      </div>
    </div>
  )
}

/** Where one of the two is hidden, the focus goes on in the other: to the way back, and back to the one that was open. */
function useFocusInSight(columns: RefObject<HTMLElement | null>, isOpen: boolean): void {
  const wasOpen = useRef(isOpen)
  const opened = useRef<string>(undefined)
  useEffect(() => {
    const links = [...(columns.current?.querySelectorAll('a') ?? [])]
    if (isOpen && !wasOpen.current) {
      // what is not displayed has no place
      const back = links.find(({ dataset, offsetParent }) => 'back' in dataset && offsetParent !== null)
      back?.focus()
    }
    if (!isOpen && wasOpen.current && document.activeElement === document.body) {
      links.find(({ href }) => href === opened.current)?.focus()
    }
    if (isOpen) opened.current = links.find((link) => link.ariaCurrent !== null && !('back' in link.dataset))?.href
    wasOpen.current = isOpen
  })
}

/** How one of a list looks, and how it says that it is the open one. */
export function itemProps(isChosen: boolean) {
  return {
    className: `${styles.item} ${isChosen ? styles.chosen : ''}`,
    'aria-current': isChosen ? ('true' as const) : undefined,
  }
}
