import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { land } from '../parts/landing.ts'
import { screenTitle } from './document-title.ts'
import styles from './screen.module.css'

export interface ScreenProps {
  readonly title: string
  /** The screen that this one is a part of. */
  readonly back?: { readonly to: string; readonly title: string }
  /** The question this screen answers, in a sentence. */
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** One screen: its heading, what can be done to all of it, and what it shows. */
export function Screen({ title, back, about, actions, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => screenTitle.set(title), [title])
  useEffect(() => land(heading.current))
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <div>
          {back && (
            <Link to={back.to} className={styles.back} activeOptions={{ exact: true }}>
              ← {back.title}
            </Link>
          )}
          <div className={styles.title}>
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {about && <p className={styles.about}>{about}</p>}
          </div>
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}
