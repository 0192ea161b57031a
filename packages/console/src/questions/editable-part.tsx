import type { ReactNode } from 'react'
import { Button } from '../parts/button.tsx'
import { JsonEditor } from '../parts/json-editor.tsx'
import { Notice } from '../parts/notice.tsx'
import { Said } from '../text/said.tsx'
import styles from './questions.module.css'
import type { EditedJson } from './use-edited-json.ts'

export interface EditablePartProps {
  readonly title: ReactNode
  /** Accessible name of the editor. */
  readonly label: string
  readonly edit: EditedJson
  /** Content while it is not edited. */
  readonly children: ReactNode
}

/** A part of a question that a person may change before they answer. */
export function EditablePart({
  title,
  label,
  edit: { draft, setDraft, toggle, problems },
  children,
}: EditablePartProps) {
  return (
    <div className={styles.part}>
      <div className={styles.partTitle}>
        <span>{title}</span>
        <Button size="s" onClick={toggle}>
          {draft === undefined ? 'Edit' : 'Undo the edit'}
        </Button>
      </div>
      {draft === undefined ? children : <JsonEditor value={draft} label={label} onChange={setDraft} />}
      {problems.length > 0 && (
        <Notice tone="bad" live>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>
                <Said text={problem} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}
