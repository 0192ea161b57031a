import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callHost } from '../../host/call.ts'
import { routeQuery } from '../../host/queries.ts'
import { resourceChanges, resourceKey } from '../../host/resource-changes.ts'
import { useStore } from '../../host/store.ts'

/** The host tells of changes for a minute; who still looks asks again before. */
const renewMs = 30_000

export interface LiveResource {
  /** True if the server announces changes. */
  readonly isLive: boolean
  /** True once the host watches it: changes before that are told to no one. */
  readonly isWatched: boolean
  /** Time of the last announced change, while this page looked. */
  readonly changedAt: number | undefined
}

/** Has the host watch a resource for as long as it is on the screen. */
export function useLiveResource(server: string, uri: string): LiveResource {
  const { capabilities } = useQuery(routeQuery('server', { server })).data ?? {}
  const isLive = (capabilities?.resources as { readonly subscribe?: unknown } | undefined)?.subscribe === true
  const key = resourceKey(server, uri)
  const changedAt = useStore(resourceChanges).get(key)
  const [watched, setWatched] = useState('')
  useEffect(() => {
    if (!isLive) return
    let isShown = true
    const confirmed = () => isShown && setWatched(resourceKey(server, uri))
    const ask = () => void callHost('watchResource', { server, uri }).then(confirmed, () => {})
    ask()
    const timer = setInterval(ask, renewMs)
    return () => {
      isShown = false
      clearInterval(timer)
    }
  }, [isLive, server, uri])
  return { isLive, isWatched: watched === key, changedAt }
}
