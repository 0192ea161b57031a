import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { runProgress } from '../host/progress.ts'
import { inboxQuery } from '../host/queries.ts'
import { useStore } from '../host/store.ts'
import { Failure } from '../parts/failure.tsx'
import { Notice } from '../parts/notice.tsx'
import { Panel } from '../parts/panel.tsx'
import { LongText } from '../result/long-text.tsx'
import { Result } from '../result/result.tsx'
import { prettyJson } from '../text/json.ts'
import { duration } from '../text/relative-time.ts'
import { Said } from '../text/said.tsx'
import styles from './offers.module.css'
import type { RunState } from './use-run.ts'

/** What became of a run: where it waits, how far it is, what came back. */
export function RunOutcome({
  run,
  server,
  name,
}: {
  readonly run: RunState
  readonly server: string
  readonly name: string
}) {
  const navigate = useNavigate()
  if (run.state === 'none') return null
  const open = (uri: string) =>
    void navigate({ to: '/resources/$server/$name', params: { server, name: uri }, search: {} })
  return (
    <Panel
      title="Result"
      actions={run.state === 'done' && <span className={styles.faint}>{duration(run.answer.ms)}</span>}
    >
      {run.state === 'running' && <Running run={run.run} server={server} name={name} />}
      {run.state === 'cancelled' && <Notice live>Cancelled. The server was told to stop.</Notice>}
      {run.state === 'failed' && <Failure error={run.error} />}
      {run.state === 'done' && run.answer.error && (
        <>
          <Notice tone="bad" live>
            <Said text={run.answer.error.message} />
            {run.answer.error.code !== undefined && ` (code ${run.answer.error.code})`}
          </Notice>
          {run.answer.error.data !== undefined && (
            <LongText text={prettyJson(run.answer.error.data)} label="error data" />
          )}
        </>
      )}
      {run.state === 'done' && run.answer.result && <Result result={run.answer.result} onOpenResource={open} />}
    </Panel>
  )
}

function Running({ run, server, name }: { readonly run: string; readonly server: string; readonly name: string }) {
  const progress = useStore(runProgress).get(run)
  const question = useQuery(inboxQuery).data?.items.find(
    (one) => one.server === server && one.target === name && one.principal === 'console',
  )
  if (question) {
    return (
      <Notice tone="warn" live>
        This call asks first, with its exact arguments.{' '}
        <Link to="/inbox/$id" params={{ id: question.id }} target="_blank">
          Look at it
        </Link>{' '}
        or answer it in the inbox; the result comes here.
      </Notice>
    )
  }
  return (
    <div role="status" className={styles.buttons}>
      <progress
        className={styles.bar}
        aria-label="Progress"
        {...(progress?.total !== undefined && { value: progress.progress, max: progress.total })}
      />
      <span>
        {progress?.message !== undefined ? <Said text={progress.message} oneLine /> : 'Running'}
        {progress && ` ${progress.progress}${progress.total === undefined ? '' : ` of ${progress.total}`}`}
      </span>
    </div>
  )
}
