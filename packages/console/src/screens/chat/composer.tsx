import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { catalogueQuery } from '../../host/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { isFocusFree } from '../../parts/keep-focus.ts'
import { land } from '../../parts/landing.ts'
import { Attachments } from './attachments.tsx'
import styles from './chat.module.css'
import { afterSent, type ChatMessage, type Draft, emptyDraft, keepTyped, keptTyped, messageOf } from './draft.ts'
import { SuggestionList } from './suggestion-list.tsx'
import { accepted, useSuggestions } from './suggestions.ts'

export interface ComposerProps {
  /** Under which name what is typed is kept. @default it is not kept */
  readonly of?: string
  readonly label: string
  /** Initial draft, instead of the kept one. */
  readonly initial?: Draft
  /** True while no message can be sent. @default false */
  readonly isBusy?: boolean
  /** @default 'Send' */
  readonly sendLabel?: string
  readonly actions?: ReactNode
  onSend(message: ChatMessage): Promise<void>
  onEscape?(): void
}

/** Message field: `/` uses a prompt, `@` attaches a resource, both are completed. */
export function Composer({ of, label, initial, isBusy = false, sendLabel = 'Send', ...props }: ComposerProps) {
  const [draft, setDraft] = useState(() => initial ?? (of === undefined ? emptyDraft : keptTyped(of)))
  // the newest draft, for handlers that began with an older one
  const now = useRef(draft)
  const [problem, setProblem] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const prompts = usePromptNames()
  const suggestions = useSuggestions(draft.text)
  const id = useId()
  useEffect(() => {
    // a person who came by keyboard or sent the last message types on, also when the heading was there earlier than this
    land(field.current)
    const frame = requestAnimationFrame(() => {
      // a dialog that opens at this moment, such as the palette, is about to take the focus
      if (isFocusFree() && !document.querySelector('[role="dialog"]')) field.current?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  const change = (next: Draft) => {
    now.current = next
    setDraft(next)
    if (of !== undefined) keepTyped(of, next)
  }
  const accept = (candidate: string) => {
    change(accepted(draft, suggestions.word, candidate))
    field.current?.focus()
  }
  const isEmpty = draft.text.trim() === '' && draft.attach.length === 0
  const send = async () => {
    if (isEmpty || isBusy || isSending) return
    setSending(true)
    setProblem(undefined)
    try {
      await props.onSend(messageOf(draft, prompts))
      change(afterSent(draft, now.current))
    } catch (error) {
      setProblem(error)
    }
    setSending(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (suggestions.onKey(event, accept)) return
    if (event.key === 'Escape') props.onEscape?.()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <div className={styles.composer}>
      <Attachments
        uris={draft.attach}
        onRemove={(uri) => change({ ...draft, attach: draft.attach.filter((one) => one !== uri) })}
      />
      <div className={styles.typing}>
        <SuggestionList id={id} suggestions={suggestions} onAccept={accept} />
        <textarea
          ref={field}
          aria-label={label}
          aria-autocomplete="list"
          aria-controls={suggestions.shown.length > 0 ? id : undefined}
          aria-activedescendant={suggestions.shown.length > 0 ? `${id}-${suggestions.chosen}` : undefined}
          rows={Math.min(10, Math.max(2, draft.text.split('\n').length))}
          placeholder="Say something. / uses a prompt, @ attaches a resource"
          value={draft.text}
          onKeyDown={onKeyDown}
          onChange={({ target }) => change({ ...draft, text: target.value })}
        />
      </div>
      <div className="buttons">
        <Button tone="primary" disabled={isEmpty || isBusy || isSending} onClick={() => void send()}>
          {sendLabel}
        </Button>
        {props.actions}
        <span className={styles.hint}>Enter sends, Shift-Enter begins a new line</span>
      </div>
      <Failure error={problem} />
    </div>
  )
}

function usePromptNames(): ReadonlySet<string> {
  const { data } = useQuery(catalogueQuery)
  return useMemo(() => new Set(data?.items.filter(({ kind }) => kind === 'prompt').map(({ name }) => name)), [data])
}
