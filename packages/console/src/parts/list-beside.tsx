import { Link } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { arrowKeys } from './arrow-keys.ts'
import { isFocusFree } from './keep-focus.ts'
import { land } from './landing.ts'
import styles from './list-beside.module.css'

export interface ListBesideProps {
  readonly list: ReactNode
  /** True if an entry of the list is open: a narrow screen then shows that alone. */
  readonly isOpen: boolean
  /** Address and title of the list alone. */
  readonly back: { readonly to: string; readonly title: string }
  /** Content of the open entry. */
  readonly children: ReactNode
}

/** A list, walked through with the arrow keys, and beside it what one of it holds. */
export function ListBeside({ list, isOpen, back, children }: ListBesideProps) {
  const columns = useRef<HTMLDivElement>(null)
  const detail = useRef<HTMLDivElement>(null)
  useFocusInSight(columns, isOpen)
  useEffect(() => {
    if (isOpen) land(detail.current)
  })
  return (
    <div ref={columns} className={`${styles.columns} ${isOpen ? styles.open : ''}`}>
      <div className={styles.side} ref={arrowKeys}>
        {list}
      </div>
      <div ref={detail} tabIndex={-1} className={styles.detail}>
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

/** Moves the focus when a narrow screen hides one of the two: to the way back, and back to the entry that was open. */
function useFocusInSight(columns: RefObject<HTMLElement | null>, isOpen: boolean): void {
  const wasOpen = useRef(isOpen)
  const opened = useRef<string>(undefined)
  useEffect(() => {
    const links = [...(columns.current?.querySelectorAll('a') ?? [])]
    if (isOpen && !wasOpen.current) {
      // elements that are not displayed have no offset parent
      const back = links.find(({ dataset, offsetParent }) => 'back' in dataset && offsetParent !== null)
      back?.focus()
    }
    if (!isOpen && wasOpen.current && isFocusFree()) {
      links.find(({ href }) => href === opened.current)?.focus()
    }
    if (isOpen) opened.current = links.find((link) => link.ariaCurrent !== null && !('back' in link.dataset))?.href
    wasOpen.current = isOpen
  })
}

/** Class of a list entry, and its mark as the open one. */
export function itemProps(isChosen: boolean) {
  return {
    className: `${styles.item} ${isChosen ? styles.chosen : ''}`,
    'aria-current': isChosen ? ('true' as const) : undefined,
  }
}
