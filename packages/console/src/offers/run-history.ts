import type { RouteAnswer } from '@trunkline/host/page-api'
import { createStore } from '../host/store.ts'

export type RunAnswer = RouteAnswer<'callTool'>

/** One run of this page. */
export interface PastRun {
  readonly id: string
  /** Subject of the run, as `tool server name`. */
  readonly of: string
  readonly at: number
  readonly input: Record<string, unknown>
  readonly answer: RunAnswer
}

const maxKept = 100

/** The runs of this page, newest first. */
export const pastRuns = createStore<readonly PastRun[]>([])

export function addPastRun(run: PastRun): void {
  pastRuns.set([run, ...pastRuns.get()].slice(0, maxKept))
}
