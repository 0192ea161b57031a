import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './link-button.module.css'

/** A link to another screen that looks like a button. */
export function LinkButton({
  to,
  children,
}: {
  readonly to: '/servers/add' | '/servers' | '/chat' | '/policy' | '/activity' | '/tools'
  readonly children: ReactNode
}) {
  return (
    <Link to={to} className={styles.button}>
      {children}
    </Link>
  )
}
