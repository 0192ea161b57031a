import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { callHost } from '../../host/call.ts'
import type { CatalogueEntry } from '../../host/queries.ts'
import styles from '../../offers/offers.module.css'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Said } from '../../text/said.tsx'

interface Listed {
  readonly uri: string
  readonly name: string
}

export interface ResourceListProps {
  readonly server: string
  readonly templates: readonly CatalogueEntry[]
  readonly chosen: string | undefined
}

/** The resources of a server, page by page, and its templates. */
export function ResourceList({ server, templates, chosen }: ResourceListProps) {
  const [text, setText] = useState('')
  const pages = useInfiniteQuery({
    queryKey: ['resources', server],
    queryFn: ({ pageParam, signal }) =>
      callHost('resources', { server, ...(pageParam !== undefined && { cursor: pageParam }) }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ result }) => (typeof result?.nextCursor === 'string' ? result.nextCursor : undefined),
    staleTime: 0,
  })
  const listed = pages.data?.pages.flatMap(({ result }) => (result?.resources ?? []) as readonly Listed[]) ?? []
  const problem = pages.data?.pages.find(({ error }) => error)?.error
  const all = [...templates.map(({ original }) => ({ uri: original, name: 'template' })), ...listed]
  const found = all.filter(({ uri, name }) => `${uri} ${name}`.toLowerCase().includes(text.toLowerCase()))
  return (
    <>
      <input
        type="search"
        aria-label="Search resources"
        placeholder={`Search ${all.length} resources`}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Failure error={pages.error} />
      {problem && (
        <Notice tone="warn">
          <Said text={problem.message} />
        </Notice>
      )}
      <ul className={styles.list} aria-label="Resources">
        {found.map(({ uri, name }) => (
          <li key={`${name} ${uri}`}>
            <Link
              to="/resources/$server/$name"
              params={{ server, name: uri }}
              className={`${styles.offer} ${uri === chosen ? styles.chosen : ''}`}
            >
              <span className={styles.name}>
                <Said text={name} oneLine />
              </span>
              <span className={styles.of}>
                <Said text={uri} oneLine />
              </span>
            </Link>
          </li>
        ))}
        {pages.hasNextPage && (
          <li>
            <Button size="s" disabled={pages.isFetching} onClick={() => void pages.fetchNextPage()}>
              Show more
            </Button>
          </li>
        )}
      </ul>
      {!pages.isPending && all.length === 0 && <p className={styles.none}>This server lists none.</p>}
    </>
  )
}
