import { createStore } from '../host/store.ts'

const maxDrafts = 100

/** Typed form values, by the form's subject: they stay when a person looks at something else, or a server dies. */
const drafts = createStore<ReadonlyMap<string, unknown>>(new Map())

export function draftOf(key: string): unknown {
  return drafts.get().get(key)
}

export function keepDraft(key: string, value: unknown): void {
  const kept = new Map(drafts.get())
  kept.delete(key)
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > maxDrafts && oldest !== undefined) kept.delete(oldest)
  drafts.set(kept)
}
