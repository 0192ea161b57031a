import { useQuery } from '@tanstack/react-query'
import { routeQuery } from '../../host/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { plural } from '../../text/plural.ts'
import { Said } from '../../text/said.tsx'
import styles from './policy.module.css'

/** Result of verifying the ledger. */
export function LedgerPanel() {
  const { data, error, isFetching, refetch } = useQuery({ ...routeQuery('verify'), staleTime: 60_000 })
  return (
    <Panel
      title="The ledger"
      actions={
        <Button size="s" disabled={isFetching} onClick={() => void refetch()}>
          Verify again
        </Button>
      }
    >
      <Failure error={error} />
      {data && data.broken === undefined && (
        <Notice tone="good" live>
          {plural(data.lines, 'line')}: each carries the hash of the one before it, and nothing was changed.
        </Notice>
      )}
      {data?.broken !== undefined && (
        <Notice tone="bad" live>
          <Said text={data.broken} />
        </Notice>
      )}
      <p className={styles.faint}>
        Every act, decision, start and acceptance is in it; arguments and results stand beside it.
      </p>
    </Panel>
  )
}
