import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { activity } from '../../host/activity.ts'
import { useAllResources } from '../../host/all-resources.ts'
import { catalogueQuery, chatsQuery, inboxQuery, policyQuery, routeQuery, serversQuery } from '../../host/queries.ts'
import { beginJump } from '../../parts/landing.ts'
import { actions } from './actions.ts'
import type { PaletteItem } from './item.ts'
import { type Known, places, screenPlaces, waitingPlaces } from './places.ts'

const none: readonly never[] = []

/** Everything that can be found and done, what waits for a person first. */
export function usePaletteItems(): readonly PaletteItem[] {
  const { history } = useRouter()
  const known = useKnown()
  return useMemo(() => {
    const open = (address: string) => {
      beginJump(address === history.location.href)
      history.push(address)
    }
    return [...waitingPlaces(known, open), ...screenPlaces(open), ...actions(known, open), ...places(known, open)]
  }, [known, history])
}

function useKnown(): Known {
  const questions = useQuery(inboxQuery).data?.items ?? none
  const servers = useQuery(serversQuery).data?.items ?? none
  const entries = useQuery(catalogueQuery).data?.items ?? none
  const conversations = useQuery(chatsQuery).data?.items ?? none
  const rules = useQuery(policyQuery).data?.rules ?? none
  const clients = useQuery(routeQuery('knownClients')).data?.items ?? none
  // one that does not run is not started to be searched
  const ready = useMemo(() => servers.flatMap(({ name, state }) => (state === 'ready' ? [name] : [])), [servers])
  const lists = useAllResources(ready)
  return useMemo(() => {
    // the acts until the palette was opened
    const { lines } = activity.get()
    const resources = lists.flatMap(({ items }) => items)
    return { questions, servers, entries, conversations, rules, clients, resources, lines }
  }, [questions, servers, entries, conversations, rules, clients, lists])
}
