import { BoundedMap } from '@trunkline/base/bounded-map'
import { createStore } from './store.ts'

/** Progress of a run of this page. */
export interface ProgressReport {
  readonly run: string
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

const maxRuns = 50

/** The last report of each run, by its id. */
export const runProgress = createStore<ReadonlyMap<string, ProgressReport>>(new Map())

export function addProgress({ run, progress, total, message }: ProgressReport): void {
  runProgress.set(new BoundedMap(maxRuns, runProgress.get()).set(run, { run, progress, total, message }))
}
