import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Said } from '../../text/said.tsx'
import { Attachments } from './attachments.tsx'
import styles from './chat.module.css'
import { Composer } from './composer.tsx'
import { type ChatMessage, draftOfEntry } from './draft.ts'
import type { PersonRow } from './rows.ts'

export interface PersonMessageProps {
  readonly row: PersonRow
  /** True while the model answers, so that no message can be sent. */
  readonly isBusy: boolean
  onSend(message: ChatMessage): Promise<void>
}

/** Message of the person; it can be edited, and the conversation goes on from there. */
export function PersonMessage({ row: { index, entry }, isBusy, onSend }: PersonMessageProps) {
  const [isEdited, setEdited] = useState(false)
  if (isEdited) {
    return (
      <div className={styles.edited}>
        <p className={styles.faint}>What came after this message is deleted when you send it again.</p>
        <Composer
          label="Edited message"
          initial={draftOfEntry(entry)}
          sendLabel="Send again"
          isBusy={isBusy}
          onEscape={() => setEdited(false)}
          actions={<Button onClick={() => setEdited(false)}>Leave it</Button>}
          onSend={async (message) => {
            await onSend({ ...message, from: index })
            setEdited(false)
          }}
        />
      </div>
    )
  }
  const attached = entry.content.flatMap((part) => (part.type === 'resource' ? [part.uri] : []))
  const { text } = draftOfEntry(entry)
  return (
    <article className={styles.person} aria-label="You">
      {text !== '' && (
        <p className={styles.said}>
          <Said text={text} />
        </p>
      )}
      <Attachments uris={attached} />
      <div className={styles.messageTools}>
        <Button size="s" tone="quiet" disabled={isBusy} aria-label="Edit this message" onClick={() => setEdited(true)}>
          Edit
        </Button>
      </div>
    </article>
  )
}
