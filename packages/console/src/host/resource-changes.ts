import { createStore } from './store.ts'

const maxKept = 200

/** Time of the last change of watched resources, by server and URI. */
export const resourceChanges = createStore<ReadonlyMap<string, number>>(new Map())

export function noteChange(server: string, uri: string): void {
  const known = new Map(resourceChanges.get())
  known.delete(resourceKey(server, uri))
  known.set(resourceKey(server, uri), Date.now())
  const [oldest] = known.keys()
  if (known.size > maxKept && oldest !== undefined) known.delete(oldest)
  resourceChanges.set(known)
}

export function resourceKey(server: string, uri: string): string {
  return JSON.stringify([server, uri])
}
