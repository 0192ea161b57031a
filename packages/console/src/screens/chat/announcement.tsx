import type { OpenConversation } from '../../host/conversation.ts'
import { Said } from '../../text/said.tsx'
import styles from './chat.module.css'

const maxChars = 2_000

/** Says to screen readers what happens: that the model answers, and its answer once it is whole. */
export function Announcement({ conversation }: { readonly conversation: OpenConversation }) {
  return (
    <p role="status" className={`visually-hidden ${styles.announcement}`}>
      <Said text={wordsFor(conversation)} />
    </p>
  )
}

function wordsFor({ isAnswering, entries, underway }: OpenConversation): string {
  const last = entries.at(-1)
  if (underway.waiting.length > 0) return 'A call waits for your decision'
  if (isAnswering) return 'The model answers'
  if (last?.by !== 'model') return ''
  const said = last.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  const how = { stopped: 'Stopped. ', failed: 'It failed. ' }[last.stop as string] ?? ''
  return `${how}${last.failure?.message ?? ''} ${said}`.trim().slice(0, maxChars)
}
