import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callHost } from '../../host/call.ts'
import type { OpenConversation } from '../../host/conversation.ts'
import { chatsQuery } from '../../host/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { formatCost } from '../../text/number.ts'
import { plural } from '../../text/plural.ts'
import { Said } from '../../text/said.tsx'
import styles from './chat.module.css'

export interface ConversationHeadProps {
  readonly conversation: OpenConversation
  onRemove(): Promise<void>
}

/** Title and usage of a conversation; it can be renamed and deleted. */
export function ConversationHead({ conversation, onRemove }: ConversationHeadProps) {
  const { id, tokens, cost, model } = conversation
  const named = useQuery(chatsQuery).data?.items.find((one) => one.id === id)?.title
  const title = named || conversation.title
  const [doing, setDoing] = useState<'renames' | 'deletes'>()
  const [problem, setProblem] = useState<unknown>()
  const rename = async (name: string) => {
    await callHost('changeChat', { id, title: name })
    setDoing(undefined)
  }
  const run = (work: () => Promise<void>) => void work().catch(setProblem)
  return (
    <header className={styles.head}>
      {doing === 'renames' ? (
        <RenameForm title={title} onRename={(name) => run(() => rename(name))} onCancel={() => setDoing(undefined)} />
      ) : (
        <h2 className={styles.title}>
          <Said text={title === '' ? 'New conversation' : title} oneLine />
        </h2>
      )}
      <span className={styles.faint}>
        {model !== undefined && `${model} · `}
        {plural(tokens, 'token')}
        {cost > 0 && ` · cost ${formatCost(cost)}`}
      </span>
      <span className="buttons">
        {doing === undefined && (
          <>
            <Button size="s" onClick={() => setDoing('renames')}>
              Rename
            </Button>
            <Button size="s" tone="danger" onClick={() => setDoing('deletes')}>
              Delete…
            </Button>
          </>
        )}
        {doing === 'deletes' && (
          <>
            <Button size="s" tone="danger" onClick={() => run(onRemove)}>
              Delete for good
            </Button>
            <Button size="s" onClick={() => setDoing(undefined)}>
              Keep it
            </Button>
          </>
        )}
      </span>
      <Failure error={problem} />
    </header>
  )
}

function RenameForm({
  title,
  onRename,
  onCancel,
}: {
  readonly title: string
  onRename(title: string): void
  onCancel(): void
}) {
  const [name, setName] = useState(title)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') onRename(name)
  }
  return (
    <form className={styles.rename} onSubmit={submit}>
      <input
        aria-label="Title"
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to type here
        autoFocus
        maxLength={80}
        value={name}
        onChange={({ target }) => setName(target.value)}
        onKeyDown={({ key }) => key === 'Escape' && onCancel()}
      />
      <Button size="s" type="submit" disabled={name.trim() === ''}>
        Save
      </Button>
    </form>
  )
}
