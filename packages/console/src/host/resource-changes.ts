import { BoundedMap } from '@trunkline/base/bounded-map'
import { createStore } from './store.ts'

const maxKept = 200

/** Time of the last change of watched resources, by server and URI. */
export const resourceChanges = createStore<ReadonlyMap<string, number>>(new Map())

export function noteChange(server: string, uri: string): void {
  resourceChanges.set(new BoundedMap(maxKept, resourceChanges.get()).set(resourceKey(server, uri), Date.now()))
}

export function resourceKey(server: string, uri: string): string {
  return JSON.stringify([server, uri])
}
