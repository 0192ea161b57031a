import { useState } from 'react'
import type { OpenConversation } from '../../host/conversation.ts'
import type { Question } from '../../host/queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { MarkdownText } from '../../result/markdown.tsx'
import { formatCost, formatNumber } from '../../text/number.ts'
import { plural } from '../../text/plural.ts'
import { BrokenOff } from './broken-off.tsx'
import { CallCard } from './call-card.tsx'
import type { CalledTools } from './called-tools.ts'
import styles from './chat.module.css'
import { type ChatMessage, sentAgain } from './draft.ts'
import type { ModelRow } from './rows.ts'

export interface ModelMessageProps {
  readonly row: ModelRow
  readonly tools: CalledTools
  readonly isLast: boolean
  readonly conversation: OpenConversation
  readonly questions: ReadonlyMap<string, Question> | undefined
  onSend(message: ChatMessage): Promise<void>
}

/** Message of the model and its calls, with tokens and cost. */
export function ModelMessage({ row, tools, isLast, conversation, questions, onSend }: ModelMessageProps) {
  const { entry, index, results } = row
  const { isAnswering, underway, entries } = conversation
  const [problem, setProblem] = useState<unknown>()
  const again = () => {
    const message = sentAgain(entries, index)
    if (message) onSend(message).catch(setProblem)
  }
  return (
    <article className={styles.model} aria-label="The model">
      {entry.content.map((part) =>
        part.type === 'text' ? (
          <MarkdownText key="text" text={part.text} />
        ) : (
          <CallCard
            key={part.id}
            call={part}
            tool={tools.get(part.name)}
            result={(results ?? (isLast ? underway.results : [])).find(({ id }) => id === part.id)}
            question={isLast && results === undefined ? questions?.get(part.id) : undefined}
            isUnderway={isLast && isAnswering && results === undefined}
            talk={{ isBusy: isAnswering, say: (text) => onSend({ text }) }}
          />
        ),
      )}
      <BrokenOff entry={entry} {...(isLast && !isAnswering && { onAgain: again })} />
      <Failure error={problem} />
      {entry.tokens.input > 0 && (
        <p className={styles.took}>
          {entry.model} · {plural(entry.tokens.input, 'token')} in, {formatNumber(entry.tokens.output)} out
          {entry.cost > 0 && ` · cost ${formatCost(entry.cost)}`}
        </p>
      )}
    </article>
  )
}
