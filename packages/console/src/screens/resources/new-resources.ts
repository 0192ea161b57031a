import { useEffect } from 'react'
import type { ServerResources } from '../../host/all-resources.ts'
import { createStore, useStore } from '../../host/store.ts'

/** Resources that each server listed when this page first saw its list; later ones are new. */
const firstSeen = createStore<ReadonlyMap<string, ReadonlySet<string>>>(new Map())

/** Tells which resources were not there when this page first looked. */
export function useNewResources(lists: readonly ServerResources[]): (server: string, uri: string) => boolean {
  const seen = useStore(firstSeen)
  useEffect(() => {
    const fresh = lists.filter(
      ({ server, isPending, problem }) => !isPending && problem === undefined && !seen.has(server),
    )
    if (fresh.length === 0) return
    const sets = fresh.map(({ server, items }) => [server, new Set(items.map(({ uri }) => uri))] as const)
    firstSeen.set(new Map([...seen, ...sets]))
  }, [lists, seen])
  return (server, uri) => seen.get(server)?.has(uri) === false
}

/** A new resource that a person has opened is not new any more. */
export function noteOpened(server: string, uri: string): void {
  const known = firstSeen.get().get(server)
  if (!known || known.has(uri)) return
  firstSeen.set(new Map(firstSeen.get()).set(server, new Set([...known, uri])))
}
