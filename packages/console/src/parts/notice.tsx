import type { ReactNode } from 'react'
import styles from './notice.module.css'

export interface NoticeProps {
  /** @default 'plain' */
  readonly tone?: 'plain' | 'good' | 'warn' | 'bad'
  /** True if screen readers announce it at once. @default false */
  readonly live?: boolean
  readonly children: ReactNode
}

/** A sentence or two that a person should see now. */
export function Notice({ tone = 'plain', live = false, children }: NoticeProps) {
  return (
    <div className={`${styles.notice} ${styles[tone]}`} {...(live && { role: tone === 'bad' ? 'alert' : 'status' })}>
      {children}
    </div>
  )
}
