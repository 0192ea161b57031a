import { useEffect, useRef } from 'react'
import { catalogueQuery } from '../../host/queries.ts'
import { refreshSoon } from '../../host/refresh-soon.ts'

/**
 * Keeps the number of calls of each tool up to date while they are shown. They stand in the catalogue, which is too
 * large to be asked for with every call.
 */
export function useToolCounts(callsOfServer: number | undefined): void {
  const known = useRef(callsOfServer)
  useEffect(() => {
    if (callsOfServer === known.current) return
    known.current = callsOfServer
    refreshSoon(catalogueQuery.queryKey)
  }, [callsOfServer])
}
