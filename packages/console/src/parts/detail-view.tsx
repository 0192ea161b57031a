import { Fragment, type ReactNode, useId } from 'react'
import styles from './detail-view.module.css'

export interface DetailViewProps {
  /** The thing itself: its name, its address, or the question. */
  readonly title: ReactNode
  /** Short facts about it, on one line below; those that are missing are left out. */
  readonly facts?: readonly ReactNode[]
  /** Beside the title. */
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** The thing that a screen is about, first and large, with what is known of it on one line. */
export function DetailView({ title, facts = [], actions, children }: DetailViewProps) {
  const id = useId()
  return (
    <section className={styles.subject} aria-labelledby={id}>
      <header className={styles.head}>
        <div className={styles.words}>
          <h2 id={id} className={styles.title}>
            {title}
          </h2>
          <FactLine facts={facts} />
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children && <div className={styles.body}>{children}</div>}
    </section>
  )
}

/** Facts on one line, with a point between them. */
export function FactLine({ facts }: { readonly facts: readonly ReactNode[] }) {
  const known = facts.filter((fact) => fact !== undefined && fact !== false && fact !== '')
  if (known.length === 0) return null
  return (
    <p className={styles.facts}>
      {known.map((fact, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: facts stand where they stand
        <Fragment key={index}>
          {index > 0 && ' · '}
          <span>{fact}</span>
        </Fragment>
      ))}
    </p>
  )
}
