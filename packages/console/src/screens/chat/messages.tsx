import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { isUnanswered, type OpenConversation } from '../../host/conversation.ts'
import { inboxQuery } from '../../host/queries.ts'
import { Notice } from '../../parts/notice.tsx'
import { QuestionDetail } from '../../questions/question-detail.tsx'
import { MarkdownText } from '../../result/markdown.tsx'
import { Said } from '../../text/said.tsx'
import { useCalledTools } from './called-tools.ts'
import styles from './chat.module.css'
import type { ChatMessage } from './draft.ts'
import { ModelMessage } from './model-message.tsx'
import { PersonMessage } from './person-message.tsx'
import { placeQuestions } from './place-questions.ts'
import { rowsOf } from './rows.ts'
import { Unanswered } from './unanswered.tsx'

export interface MessagesProps {
  readonly conversation: OpenConversation
  onSend(message: ChatMessage): Promise<void>
}

/** All that was said, with calls and questions where they belong. */
export function Messages({ conversation, onSend }: MessagesProps) {
  const { entries, underway, isAnswering, notes } = conversation
  const rows = useMemo(() => rowsOf(entries), [entries])
  const tools = useCalledTools()
  const questions = useQuery(inboxQuery).data?.items ?? []
  const placed = isAnswering ? placeQuestions(questions, conversation, tools) : undefined
  useFollowEnd(`${entries.length} ${underway.text.length} ${underway.results.length} ${placed?.byCall.size}`)
  const isQuiet = isAnswering && underway.text === '' && entries.at(-1)?.by !== 'model'
  return (
    <ol className={styles.messages} aria-label="Messages">
      {rows.map((row) => (
        <li key={row.index}>
          {row.kind === 'person' ? (
            <PersonMessage row={row} isBusy={isAnswering} onSend={onSend} />
          ) : (
            <ModelMessage
              row={row}
              tools={tools}
              isLast={row === rows.at(-1)}
              conversation={conversation}
              questions={placed?.byCall}
              onSend={onSend}
            />
          )}
        </li>
      ))}
      {underway.text !== '' && (
        <li className={styles.model}>
          <MarkdownText text={underway.text} />
        </li>
      )}
      {isUnanswered(conversation) && <Unanswered conversation={conversation} onSend={onSend} />}
      {isQuiet && <li className={styles.faint}>The model answers…</li>}
      {placed?.others.map((question) => (
        <li key={question.id}>
          <QuestionDetail question={question} />
        </li>
      ))}
      {notes.map((note) => (
        <li key={note}>
          <Notice>
            <Said text={note} />
          </Notice>
        </li>
      ))}
    </ol>
  )
}

/** Distance from the end of the page within which the reader follows it, in pixels. */
const nearPixels = 240

/** Keeps the end of the messages in sight for who was there; who reads above stays where they are. */
function useFollowEnd(state: string): void {
  const wasNear = useRef(true)
  useEffect(() => {
    const look = () => {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement
      wasNear.current = scrollHeight - clientHeight - scrollTop < nearPixels
    }
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new state may make the page longer
  useEffect(() => {
    if (wasNear.current) scrollTo({ top: document.documentElement.scrollHeight })
  }, [state])
}
