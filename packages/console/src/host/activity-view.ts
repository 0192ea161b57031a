import type { Activity } from './activity.ts'
import { type ActFilter, everyAct } from './acts.ts'
import { createStore } from './store.ts'

/** Settings of this screen; they are kept while the person looks at one act after the other. */
export interface ActivityView {
  readonly filter: ActFilter
  readonly isWaterfall: boolean
  /** Activity at the time of the pause; missing while the screen is live. */
  readonly paused: { readonly activity: Activity; readonly at: number } | undefined
}

export const activityView = createStore<ActivityView>({ filter: everyAct, isWaterfall: false, paused: undefined })

export function changeView(change: Partial<ActivityView>): void {
  activityView.set({ ...activityView.get(), ...change })
}
