import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { shortPaths } from '../text/short-paths.ts'
import { statusQuery } from './queries.ts'

/** Shortens paths below the home folder in a text to `~/…`; for texts of the host, not for arguments or commands. */
export function useShortPaths(): (text: string) => string {
  const home = useQuery(statusQuery).data?.home
  return useCallback((text) => (home === undefined ? text : shortPaths(text, home)), [home])
}
