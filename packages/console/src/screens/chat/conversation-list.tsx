import { Link } from '@tanstack/react-router'
import type { ConversationSummary } from '../../host/queries.ts'
import { Said } from '../../text/said.tsx'
import { Time } from '../../text/time.tsx'
import styles from './chat.module.css'

export interface ConversationListProps {
  readonly conversations: readonly ConversationSummary[]
  readonly chosen: string | undefined
}

/** The conversations that are kept, the one last used first. */
export function ConversationList({ conversations, chosen }: ConversationListProps) {
  if (conversations.length === 0) return <p className={styles.none}>What you say is kept and listed here.</p>
  return (
    <nav aria-label="Conversations" className={styles.side}>
      <ul className={styles.list}>
        {conversations.map(({ id, title, usedAt, isAnswering }) => (
          <li key={id}>
            <Link
              to="/chat/$id"
              params={{ id }}
              className={`${styles.item} ${id === chosen ? styles.chosen : ''}`}
              aria-current={id === chosen ? 'true' : undefined}
            >
              <span className={styles.name}>
                <Said text={title} oneLine />
              </span>
              <span className={styles.faint}>{isAnswering ? 'The model answers' : <Time at={usedAt} />}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
