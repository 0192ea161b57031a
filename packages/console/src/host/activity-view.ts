import type { Activity } from './activity.ts'
import { type ActFilter, everyAct } from './acts.ts'
import { createStore } from './store.ts'

/** What a person set on this screen; it stays as it is while they look at one act after the other. */
export interface ActivityView {
  readonly filter: ActFilter
  readonly isWaterfall: boolean
  /** What was there when the screen was stopped; missing while it goes on. */
  readonly paused: { readonly activity: Activity; readonly at: number } | undefined
}

export const activityView = createStore<ActivityView>({ filter: everyAct, isWaterfall: false, paused: undefined })

export function changeView(change: Partial<ActivityView>): void {
  activityView.set({ ...activityView.get(), ...change })
}
