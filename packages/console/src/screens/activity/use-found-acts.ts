import { useInfiniteQuery } from '@tanstack/react-query'
import type { RouteInput } from '@trunkline/host/page-api'
import { useEffect, useState } from 'react'
import type { ActFilter } from '../../host/acts.ts'
import { callHost } from '../../host/call.ts'
import type { ChainedLine } from '../../host/queries.ts'

/** Lines in one answer of the host. */
const pageSize = 500
/** Milliseconds after the last letter until the host is asked. */
const typingMs = 250
/** Milliseconds until a search is repeated, for what came meanwhile. */
const everyMs = 5_000

export interface FoundActs {
  /** Lines of the acts that the host found, oldest first. */
  readonly lines: readonly ChainedLine[]
  readonly isSearching: boolean
  /** False if the newest acts cannot be searched yet. */
  readonly isIndexed: boolean
  readonly error: unknown
  /** Asks for older ones; missing when there are none. */
  readonly more: (() => void) | undefined
}

const none: readonly ChainedLine[] = []

/** Acts of the ledger that match: those that this page does not have, or cannot search. */
export function useFoundActs(filter: ActFilter, before: number | undefined): FoundActs {
  const wanted = useSettled(JSON.stringify(inputOf(filter)))
  const { text, from, to } = filter
  const isAsked = text.trim() !== '' || from !== undefined || to !== undefined || before !== undefined
  const isRepeated = text.trim() !== '' && to === undefined
  const found = useInfiniteQuery({
    queryKey: ['acts', wanted, before],
    queryFn: ({ signal, pageParam }) => {
      const input = JSON.parse(wanted) as RouteInput<'acts'>
      return callHost('acts', { ...input, most: pageSize, before: pageParam }, { signal })
    },
    initialPageParam: before,
    getNextPageParam: ({ older }) => older,
    enabled: isAsked,
    refetchInterval: isRepeated ? everyMs : false,
  })
  const { data, error, isFetching, hasNextPage, fetchNextPage } = found
  return {
    lines: isAsked ? (data?.pages.flatMap(({ items }) => items) ?? none) : none,
    isSearching: isAsked && isFetching,
    isIndexed: !isAsked || (data?.pages.every(({ isIndexed }) => isIndexed) ?? true),
    error: isAsked ? error : undefined,
    more: isAsked && hasNextPage && !isFetching ? () => void fetchNextPage() : undefined,
  }
}

function inputOf({ text, server, client, outcome, from, to }: ActFilter): RouteInput<'acts'> {
  return {
    ...(text.trim() !== '' && { search: text.trim().slice(0, 500) }),
    ...(server !== '' && { server }),
    ...(client !== '' && { principal: client }),
    ...(outcome === 'ok' && { outcome }),
    ...(outcome === 'refused' && { kind: outcome }),
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
  }
}

/** A value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typingMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
