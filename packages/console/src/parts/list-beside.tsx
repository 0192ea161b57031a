import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
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
  return (
    <div className={`${styles.columns} ${isOpen ? styles.open : ''}`}>
      <div className={styles.side} ref={arrowKeys}>
        {list}
      </div>
      <div className={styles.detail}>
        {isOpen && (
          <Link to={back.to} className={styles.back}>
            ← {back.title}
          </Link>
        )}
        {children}
      </div>
    </div>
  )
}

/** How one of a list looks, and how it says that it is the open one. */
export function itemProps(isChosen: boolean) {
  return {
    className: `${styles.item} ${isChosen ? styles.chosen : ''}`,
    'aria-current': isChosen ? ('true' as const) : undefined,
  }
}
