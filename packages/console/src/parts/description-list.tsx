import type { ReactNode } from 'react'
import styles from './description-list.module.css'

/** Names with their values, as pairs of `dt` and `dd`. */
export function DescriptionList({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.list}>{children}</dl>
}
