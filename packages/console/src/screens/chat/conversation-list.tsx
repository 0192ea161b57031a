import { Link } from '@tanstack/react-router'
import type { ConversationSummary } from '../../host/queries.ts'
import styles from '../../parts/list-beside.module.css'
import { itemProps } from '../../parts/list-beside.tsx'
import { Said } from '../../text/said.tsx'
import { Time } from '../../text/time.tsx'

export interface ConversationListProps {
  readonly conversations: readonly ConversationSummary[]
  readonly chosen: string | undefined
}

/** The conversations that are kept, the one last used first. */
export function ConversationList({ conversations, chosen }: ConversationListProps) {
  if (conversations.length === 0) return <p className={styles.none}>What you say is kept and listed here.</p>
  return (
    <nav aria-label="Conversations">
      <ul className={styles.list}>
        {conversations.map(({ id, title, usedAt, isAnswering }) => (
          <li key={id}>
            <Link to="/chat/$id" params={{ id }} {...itemProps(id === chosen)}>
              <span className={styles.name}>
                <Said text={title} oneLine />
              </span>
              <span className={styles.of}>{isAnswering ? 'The model answers' : <Time at={usedAt} />}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
