import { useMutation } from '@tanstack/react-query'
import { callHost } from '../../host/call.ts'
import { type CatalogueEntry, catalogueQuery, queryClient, serversQuery } from '../../host/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { formatNumber } from '../../text/number.ts'
import { plural } from '../../text/plural.ts'
import styles from './servers.module.css'
import { unusedFor } from './unused-for.ts'

interface UnusedToolsProps {
  readonly tools: readonly CatalogueEntry[]
  /** Time when their server was accepted; undefined if it is not known. */
  readonly acceptedAt: number | undefined
}

/** Tools unused for a month, their cost, and a button that hides them all. */
export function UnusedTools({ tools, acceptedAt }: UnusedToolsProps) {
  const unused = tools.filter(({ callsIn30Days, standing }) => callsIn30Days === 0 && standing !== 'hidden')
  const wasted = unused.reduce((sum, { tokens }) => sum + tokens, 0)
  const hide = useHideTools()
  if (unused.length === 0) return null
  return (
    <div className={styles.notUsed}>
      <p className={styles.unused}>
        {plural(unused.length, 'tool was', 'tools were')} {unusedFor(acceptedAt)} and cost about {formatNumber(wasted)}{' '}
        tokens in each conversation. In the terminal: <code>trunkline tidy</code>
      </p>
      <Button size="s" disabled={hide.isPending} onClick={() => hide.mutate({ tools: unused, isHidden: true })}>
        Hide {plural(unused.length, 'unused tool')}
      </Button>
      <Failure error={hide.error} />
    </div>
  )
}

/** Hides tools from clients, or shows them again. */
export function useHideTools() {
  return useMutation({
    mutationFn: async ({ tools, isHidden }: { tools: readonly CatalogueEntry[]; isHidden: boolean }) => {
      for (const { server, original } of tools) await callHost('changeEntry', { server, tool: original, isHidden })
    },
    onSettled: async () => {
      for (const { queryKey } of [catalogueQuery, serversQuery]) await queryClient.invalidateQueries({ queryKey })
    },
  })
}
