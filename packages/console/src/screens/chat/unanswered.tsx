import { useState } from 'react'
import type { OpenConversation } from '../../host/conversation.ts'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Notice } from '../../parts/notice.tsx'
import { MarkdownText } from '../../result/markdown.tsx'
import styles from './chat.module.css'
import { type ChatMessage, sentAgain } from './draft.ts'

export interface UnansweredProps {
  readonly conversation: OpenConversation
  onSend(message: ChatMessage): Promise<void>
}

/** A message that has no answer, as when the host was killed meanwhile: what is known of the answer, and a way to go on. */
export function Unanswered({ conversation: { entries, unfinished }, onSend }: UnansweredProps) {
  const [problem, setProblem] = useState<unknown>()
  const message = sentAgain(entries, entries.length)
  return (
    <li className={styles.model}>
      {unfinished !== undefined && <MarkdownText text={unfinished} />}
      <Notice tone="warn">
        The host ended before the answer was whole.{' '}
        {message && (
          <Button size="s" onClick={() => void onSend(message).catch(setProblem)}>
            Send the message again
          </Button>
        )}
      </Notice>
      <Failure error={problem} />
    </li>
  )
}
