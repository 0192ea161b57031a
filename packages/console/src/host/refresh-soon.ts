import { queryClient } from './queries.ts'

const waitMs = 250
const scheduled = new Set<string>()

/** Asks for something anew, once for all that happens within a moment. */
export function refreshSoon(queryKey: readonly unknown[]): void {
  const key = JSON.stringify(queryKey)
  if (scheduled.has(key)) return
  scheduled.add(key)
  setTimeout(() => {
    scheduled.delete(key)
    void queryClient.invalidateQueries({ queryKey })
  }, waitMs)
}
