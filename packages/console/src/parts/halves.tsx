import type { ReactNode } from 'react'
import styles from './halves.module.css'

/** Panels side by side, below each other where there is no room. */
export function Halves({ children }: { readonly children: ReactNode }) {
  return <div className={styles.halves}>{children}</div>
}
