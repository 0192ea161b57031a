import { queryClient } from './queries.ts'

const usualWaitMs = 250
const scheduled = new Set<string>()

/** Asks for something anew, once for all that happens within a moment. */
export function refreshSoon(queryKey: readonly unknown[], waitMs = usualWaitMs): void {
  const key = JSON.stringify([waitMs, queryKey])
  if (scheduled.has(key)) return
  scheduled.add(key)
  setTimeout(() => {
    scheduled.delete(key)
    void queryClient.invalidateQueries({ queryKey })
  }, waitMs)
}
