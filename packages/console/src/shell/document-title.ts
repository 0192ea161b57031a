import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { inboxQuery } from '../host/queries.ts'
import { createStore, useStore } from '../host/store.ts'

/** The screen that is open, by its heading. */
export const screenTitle = createStore('Trunkline')

/** Keeps the title of the tab: how many questions wait, and where one is. */
export function useDocumentTitle(): void {
  const title = useStore(screenTitle)
  const waiting = useQuery(inboxQuery).data?.items.length ?? 0
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · Trunkline`
  }, [title, waiting])
}
