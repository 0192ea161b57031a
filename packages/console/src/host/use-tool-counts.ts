import { useQuery } from '@tanstack/react-query'
import { BoundedMap } from '@trunkline/base/bounded-map'
import { useEffect } from 'react'
import { catalogueQuery, serversQuery } from './queries.ts'
import { refreshSoon } from './refresh-soon.ts'

/** The calls of servers when the catalogue was asked for; one that is forgotten costs one more look. */
const counted = new BoundedMap<string, number>(1_000)

/**
 * Keeps the number of calls of each tool of a server up to date while they are shown. They stand in the catalogue, which is
 * too large to be asked for with every call.
 */
export function useToolCounts(server: string): void {
  const calls = useQuery(serversQuery).data?.items.find(({ name }) => name === server)?.callsIn30Days
  useEffect(() => {
    if (calls === undefined || calls === counted.get(server)) return
    counted.set(server, calls)
    refreshSoon(catalogueQuery.queryKey)
  }, [server, calls])
}
