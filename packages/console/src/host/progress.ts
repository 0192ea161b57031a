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
  const known = new Map(runProgress.get())
  known.delete(run)
  known.set(run, { run, progress, total, message })
  const [oldest] = known.keys()
  if (known.size > maxRuns && oldest !== undefined) known.delete(oldest)
  runProgress.set(known)
}
