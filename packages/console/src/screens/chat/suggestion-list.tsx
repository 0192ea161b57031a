import { Said } from '../../text/said.tsx'
import styles from './chat.module.css'
import type { Suggestions } from './suggestions.ts'

export interface SuggestionListProps {
  readonly id: string
  readonly suggestions: Suggestions
  onAccept(candidate: string): void
}

/** Suggestions for the last word, above the field; the focus stays in the field, which names the chosen one. */
export function SuggestionList({ id, suggestions: { shown, chosen }, onAccept }: SuggestionListProps) {
  return (
    <>
      <p role="status" className="visually-hidden">
        {shown.length > 0 && `${shown.length} proposals, arrow keys choose, Enter takes`}
      </p>
      {shown.length > 0 && (
        <div id={id} role="listbox" aria-label="Proposals" className={styles.suggestions}>
          {shown.map(({ text, about }, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the chosen one
            // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are handled in the field
            <div
              key={text}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              className={`${styles.suggestion} ${index === chosen ? styles.chosen : ''}`}
              onClick={() => onAccept(text)}
            >
              <code>
                <Said text={text} oneLine />
              </code>
              <span className={styles.faint}>
                <Said text={about} oneLine />
              </span>
            </div>
          ))}
        </div>
      )}
    </>
  )
}
