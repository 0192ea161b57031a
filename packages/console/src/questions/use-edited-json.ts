import { useState } from 'react'
import { parseFields } from '../text/json.ts'

/** Edits of a JSON text that a question shows. */
export interface EditedJson {
  /** The text in the editor; undefined while it is not open. */
  readonly draft: string | undefined
  readonly setDraft: (draft: string) => void
  /** Opens the editor, or takes all edits back. */
  readonly toggle: () => void
  readonly isEdited: boolean
  /** The object as edited; undefined where it is as it was given, or no object. */
  readonly value: Record<string, unknown> | undefined
  /** Reason why the edited text is not an object. */
  readonly problem: string | undefined
}

/** Lets a person edit a JSON text before they answer. */
export function useEditedJson(given: string): EditedJson {
  const [draft, setDraft] = useState<string>()
  const edited = draft === undefined || draft === given ? undefined : parseFields(draft)
  return {
    draft,
    setDraft,
    toggle: () => setDraft(draft === undefined ? given : undefined),
    isEdited: edited !== undefined,
    value: edited && 'value' in edited ? edited.value : undefined,
    problem: edited && 'problem' in edited ? edited.problem : undefined,
  }
}
