import type { ReactNode } from 'react'
import styles from './empty.module.css'

export interface EmptyProps {
  readonly title: string
  /** Button of the next step. */
  readonly action?: ReactNode
  readonly children?: ReactNode
}

/** Placeholder for an empty list: the reason, and the next step. */
export function Empty({ title, action, children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.text}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
