import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { type ActRow, outcomeOf, outcomeWords, ownMs } from '../../host/acts.ts'
import { callHost } from '../../host/call.ts'
import { useShortPaths } from '../../host/home.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { DetailView } from '../../parts/detail-view.tsx'
import { Diff } from '../../parts/diff.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Notice } from '../../parts/notice.tsx'
import { LongText } from '../../result/long-text.tsx'
import { prettyJson } from '../../text/json.ts'
import { duration } from '../../text/relative-time.ts'
import { Said } from '../../text/said.tsx'
import { outcomeTones } from './act-table.tsx'
import styles from './activity.module.css'
import { hopsOf } from './hops.ts'
import { PastQuestions } from './past-questions.tsx'
import { WirePanel } from './wire-panel.tsx'

// loaded when a call is first replayed
const Replay = lazy(async () => ({ default: (await import('./replay.tsx')).Replay }))

/** One act: who, what, why, and both hops with what the gateway changed. */
export function ActDetail({ row, act }: { readonly row: ActRow; readonly act: string }) {
  // an act that goes on is asked for again when it ends
  const { data, error } = useQuery({
    queryKey: ['act', act, row.outcome],
    queryFn: ({ signal }) => callHost('act', { act }, { signal }),
  })
  const [isReplaying, setReplaying] = useState(false)
  const hops = data && hopsOf(data.payloads)
  const rule = data?.lines.find(({ line }) => line.rule !== undefined)?.line.rule
  return (
    <DetailView
      title={<Said text={`${row.server} ${row.target}`} oneLine />}
      facts={[
        <Badge key="outcome" tone={outcomeTones[outcomeOf(row)]}>
          {outcomeWords(row.outcome)}
        </Badge>,
        <time key="at" dateTime={new Date(row.at).toISOString()}>
          {new Date(row.at).toLocaleString('en-GB')}
        </time>,
        took(row),
        <Said key="client" text={row.principal} oneLine />,
        row.trace !== undefined && <code key="trace">{row.trace}</code>,
      ]}
      actions={
        <>
          {row.actKind === 'call' && (
            <Button size="s" aria-expanded={isReplaying} onClick={() => setReplaying(!isReplaying)}>
              Replay…
            </Button>
          )}
          <CopyButton text={new URL(`/activity/${encodeURIComponent(act)}`, location.origin).href} label="Copy link">
            Copy link
          </CopyButton>
        </>
      }
    >
      {isReplaying && data && (
        <Suspense>
          <Replay server={row.server} tool={row.target} recorded={hops?.sent} />
        </Suspense>
      )}
      <Reason row={row} act={act} rule={rule} />
      <Failure error={error} />
      {hops?.changes.map((change) => (
        <Notice key={change} tone="warn">
          {change}
        </Notice>
      ))}
      {hops && hops.asked === undefined && (
        <Notice>Arguments and results of this server are not kept, or were forgotten.</Notice>
      )}
      {hops && hops.asked !== undefined && (
        <div className={styles.hops}>
          <Hop title="Asked for by the client" before={hops.asked} after={undefined} />
          {row.isSent ? (
            <Hop title="Sent to the server" before={hops.asked} after={hops.sent} />
          ) : (
            <NeverSent row={row} />
          )}
          {hops.received !== undefined && row.isSent && (
            <Hop title="Came back from the server" before={hops.received} after={undefined} />
          )}
          {hops.answered !== undefined && (
            <Hop title="Answered to the client" before={hops.received} after={hops.answered} />
          )}
        </div>
      )}
      {data?.lines.some(({ line }) => line.question !== undefined) && <PastQuestions of={{ act }} />}
      <WirePanel act={act} isOver={row.to !== undefined} />
      <p className={styles.faint}>What looks like a secret was masked before it was kept.</p>
    </DetailView>
  )
}

/** Reason of the outcome in a band, with where to go from there. */
function Reason({ row, act, rule }: { readonly row: ActRow; readonly act: string; readonly rule: string | undefined }) {
  const short = useShortPaths()
  const hasFailed = outcomeOf(row) === 'failed'
  return (
    <Notice tone={hasFailed ? 'bad' : 'plain'}>
      {row.why !== undefined && (
        <p>
          <Said text={short(row.why)} />
        </p>
      )}
      {rule !== undefined && (
        <p>
          Rule{' '}
          <code>
            <Said text={rule} />
          </code>
        </p>
      )}
      <p className="buttons">
        <Link to="/policy" search={{ server: row.server, tool: row.target, client: row.principal, act }}>
          Why was this {judgedAs(row)}?
        </Link>
        {hasFailed && (
          <Link to="/servers/$name" params={{ name: row.server }}>
            What {row.server} wrote
          </Link>
        )}
      </p>
    </Notice>
  )
}

/** Duration of an act, and the part of it in which it waited for a person. */
function took(row: ActRow): string {
  const own = ownMs(row)
  if (own === undefined || row.ms === undefined) return ''
  const waited = row.ms - own
  return `${duration(own)}${waited >= 1 ? ` and ${duration(waited)} for a person` : ''}`
}

function NeverSent({ row: { kind, outcome } }: { readonly row: ActRow }) {
  const ended = kind === 'refused' ? 'was refused' : outcome === 'cancelled' ? 'was cancelled' : 'ended'
  return (
    <div className={styles.hop}>
      <h3>Sent to the server</h3>
      <p className={styles.faint}>Nothing: it {ended} before it got there.</p>
    </div>
  )
}

function judgedAs({ outcome, kind }: ActRow): string {
  if (outcome === 'waiting' || outcome.endsWith(' later')) return 'asked about'
  return kind === 'refused' ? 'refused' : 'allowed'
}

/** One side of a hop; against the other side, where the gateway changed something. */
function Hop({ title, before, after }: { readonly title: string; readonly before: unknown; readonly after: unknown }) {
  const [old, now] = [prettyJson(before), prettyJson(after)]
  return (
    <div className={styles.hop}>
      <h3>{title}</h3>
      {after === undefined && <LongText text={old} label={title} />}
      {after !== undefined && old === now && <p className={styles.faint}>Unchanged</p>}
      {after !== undefined && old !== now && <Diff before={old} after={now} label={title} />}
    </div>
  )
}
