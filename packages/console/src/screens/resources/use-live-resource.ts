import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callHost } from '../../host/call.ts'
import { routeQuery } from '../../host/queries.ts'
import { resourceChanges, resourceKey } from '../../host/resource-changes.ts'
import { useStore } from '../../host/store.ts'

/** The host tells of changes for a minute; who still looks asks again before. */
const renewMs = 30_000

export interface LiveResource {
  /** Whether the server says that it tells of changes. */
  readonly isLive: boolean
  /** When it last said that this resource changed, while this page looked. */
  readonly changedAt: number | undefined
}

/** Has the host watch a resource for as long as it is on the screen. */
export function useLiveResource(server: string, uri: string): LiveResource {
  const { capabilities } = useQuery(routeQuery('server', { server })).data ?? {}
  const isLive = (capabilities?.resources as { readonly subscribe?: unknown } | undefined)?.subscribe === true
  const changedAt = useStore(resourceChanges).get(resourceKey(server, uri))
  useEffect(() => {
    if (!isLive) return
    const ask = () => void callHost('watchResource', { server, uri }).catch(() => {})
    ask()
    const timer = setInterval(ask, renewMs)
    return () => clearInterval(timer)
  }, [isLive, server, uri])
  return { isLive, changedAt }
}
