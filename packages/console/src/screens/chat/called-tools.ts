import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type CatalogueEntry, catalogueQuery } from '../../host/queries.ts'

/** Tools by the name that the model knows them by. */
export type CalledTools = ReadonlyMap<string, CatalogueEntry>

/** The tools that the model can call. */
export function useCalledTools(): CalledTools {
  const { data } = useQuery(catalogueQuery)
  return useMemo(
    () => new Map(data?.items.filter(({ kind }) => kind === 'tool').map((entry) => [entry.name, entry])),
    [data],
  )
}
