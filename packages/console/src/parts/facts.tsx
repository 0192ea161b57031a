import type { ReactNode } from 'react'
import styles from './facts.module.css'

/** Names with their values, as pairs of `dt` and `dd`. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}
