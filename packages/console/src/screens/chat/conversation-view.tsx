import { useNavigate } from '@tanstack/react-router'
import { callHost } from '../../host/call.ts'
import type { OpenConversation } from '../../host/conversation.ts'
import { useConversation } from '../../host/conversations.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Announcement } from './announcement.tsx'
import styles from './chat.module.css'
import { Composer } from './composer.tsx'
import { ConversationHead } from './conversation-head.tsx'
import type { ChatMessage } from './draft.ts'
import { Messages } from './messages.tsx'

/** One conversation: what was said, what happens now, and where one goes on. */
export function ConversationView({ id }: { readonly id: string }) {
  const { conversation, error } = useConversation(id)
  const navigate = useNavigate()
  if (!conversation) {
    if (error === undefined) return <Empty title="Looking" />
    return (
      <Empty title="This conversation cannot be shown">{error instanceof Error ? error.message : String(error)}</Empty>
    )
  }
  const remove = async () => {
    await callHost('deleteChat', { id })
    void navigate({ to: '/chat' })
  }
  return (
    <section className={styles.conversation} aria-label="Conversation">
      <ConversationHead conversation={conversation} onRemove={remove} />
      <Failure error={error} />
      <Talk conversation={conversation} />
    </section>
  )
}

function Talk({ conversation }: { readonly conversation: OpenConversation }) {
  const { id, isAnswering } = conversation
  const send = async (message: ChatMessage) => void (await callHost('sendChat', { id, ...message }))
  const stop = () => void callHost('stopChat', { id }).catch(() => {})
  return (
    <>
      <Messages conversation={conversation} onSend={send} />
      <Announcement conversation={conversation} />
      <div className={styles.bottom}>
        <Composer
          of={id}
          label="Message"
          isBusy={isAnswering}
          onSend={send}
          {...(isAnswering && { onEscape: stop })}
          actions={isAnswering && <Button onClick={stop}>Stop</Button>}
        />
      </div>
    </>
  )
}
