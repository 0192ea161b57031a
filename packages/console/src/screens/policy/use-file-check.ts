import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { RouteAnswer } from '@trunkline/host/page-api'
import { useEffect, useState } from 'react'
import { callHost } from '../../host/call.ts'

const pauseMs = 250

export interface FileCheck {
  readonly check: RouteAnswer<'dryRunPolicy'> | undefined
  /** True if the result is for the current text. */
  readonly isCurrent: boolean
}

/** Host's check of a text for the person's own file, asked for when the person pauses; empty without a text. */
export function useFileCheck(text: string | undefined): FileCheck {
  const [asked, setAsked] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['file check', asked],
    queryFn: ({ signal }) => callHost('dryRunPolicy', { text: asked ?? '' }, { signal }),
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  })
  return { check: text === undefined ? undefined : data, isCurrent: asked === text && !isPlaceholderData }
}
