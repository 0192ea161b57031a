import { BoundedMap } from '@trunkline/base/bounded-map'
import { createStore } from '../host/store.ts'

const maxDrafts = 100

/** Typed form values, by the form's subject: they stay when a person looks at something else, or a server dies. */
const drafts = createStore<ReadonlyMap<string, unknown>>(new Map())

export function draftOf(key: string): unknown {
  return drafts.get().get(key)
}

export function keepDraft(key: string, value: unknown): void {
  drafts.set(new BoundedMap(maxDrafts, drafts.get()).set(key, value))
}
