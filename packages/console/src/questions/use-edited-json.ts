import { useState } from 'react'
import { checkValue } from '../form/check.ts'
import { isSchema } from '../form/schema.ts'
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
  /** Reasons why the edited text cannot be sent: it is no object, or none of its schema. */
  readonly problems: readonly string[]
}

/** Problems of an edited object, each in a sentence. */
export type EditCheck = (value: Record<string, unknown>) => readonly string[]

/** Lets a person edit a JSON text before they answer; it is checked as they type. */
export function useEditedJson(given: string, check?: EditCheck): EditedJson {
  const [draft, setDraft] = useState<string>()
  const edited = draft === undefined || draft === given ? undefined : parseFields(draft)
  return {
    draft,
    setDraft,
    toggle: () => setDraft(draft === undefined ? given : undefined),
    isEdited: edited !== undefined,
    value: edited && 'value' in edited ? edited.value : undefined,
    problems: edited ? problemsOf(edited, check) : [],
  }
}

function problemsOf(edited: ReturnType<typeof parseFields>, check?: EditCheck): readonly string[] {
  return 'problem' in edited ? [edited.problem] : (check?.(edited.value) ?? [])
}

/** Problems of a value by its schema, each with the member that it is about. */
export function schemaProblems(value: unknown, schema: unknown, under = ''): readonly string[] {
  if (!isSchema(schema)) return []
  return [...checkValue(value, schema)].map(([path, problem]) => {
    const member = [under, path].filter(Boolean).join('/')
    return member === '' ? problem : `${member}: ${problem}`
  })
}
