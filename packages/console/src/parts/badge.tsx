import type { ReactNode } from 'react'
import styles from './badge.module.css'

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent'

/** A word or two that stand out, with a tone that never says something alone. */
export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>
}
