import { Button } from '../../parts/button.tsx'
import { Said } from '../../text/said.tsx'
import styles from './chat.module.css'

/** The resources that go with a message. */
export function Attachments({ uris, onRemove }: { readonly uris: readonly string[]; onRemove?(uri: string): void }) {
  if (uris.length === 0) return null
  return (
    <ul className={styles.attachments} aria-label="Attached resources">
      {uris.map((uri) => (
        <li key={uri} className={styles.attachment}>
          <code>
            <Said text={uri} oneLine />
          </code>
          {onRemove && (
            <Button size="s" tone="quiet" aria-label={`Do not attach ${uri}`} onClick={() => onRemove(uri)}>
              ✕
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
