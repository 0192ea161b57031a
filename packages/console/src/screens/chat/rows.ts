import type { ChatEntry, ChatResult } from '../../host/conversation.ts'

type PersonEntry = Extract<ChatEntry, { by: 'person' }>
type ModelEntry = Extract<ChatEntry, { by: 'model' }>

/** Content of one message of the page. */
export type Row =
  | { readonly kind: 'person'; readonly index: number; readonly entry: PersonEntry }
  | {
      readonly kind: 'model'
      readonly index: number
      readonly entry: ModelEntry
      /** Results of its calls, once they are recorded. */
      readonly results: readonly ChatResult[] | undefined
    }

export type PersonRow = Extract<Row, { kind: 'person' }>
export type ModelRow = Extract<Row, { kind: 'model' }>

/** The messages of a conversation: results stand with the calls they are of. */
export function rowsOf(entries: readonly ChatEntry[]): readonly Row[] {
  return entries.flatMap((entry, index): Row[] => {
    if (entry.by === 'person') return [{ kind: 'person', index, entry }]
    if (entry.by === 'tools') return []
    const next = entries[index + 1]
    return [{ kind: 'model', index, entry, results: next?.by === 'tools' ? next.results : undefined }]
  })
}
