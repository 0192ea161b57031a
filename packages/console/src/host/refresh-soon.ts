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
    void refresh(queryKey)
  }, waitMs)
}

/** A first answer that is under way may be older than what happened, and is not given up: it is asked for again after it. */
async function refresh(queryKey: readonly unknown[]): Promise<void> {
  const underWay = queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })
  await Promise.allSettled(underWay.filter(({ state }) => state.data === undefined).map(({ promise }) => promise))
  await queryClient.invalidateQueries({ queryKey })
}
