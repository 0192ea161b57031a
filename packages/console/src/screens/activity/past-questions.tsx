import { useQuery } from '@tanstack/react-query'
import type { RouteAnswer, RouteInput } from '@trunkline/host/page-api'
import { routeQuery } from '../../host/queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { longWords } from '../../questions/question-words.ts'
import { LongText } from '../../result/long-text.tsx'
import { prettyJson } from '../../text/json.ts'
import { duration } from '../../text/relative-time.ts'
import { Said } from '../../text/said.tsx'
import styles from './activity.module.css'

type PastQuestion = RouteAnswer<'settledQuestions'>['items'][number]

/** Questions that were answered or expired: what was asked, with the arguments as the person saw them, and the decision. */
export function PastQuestions({ of }: { readonly of: RouteInput<'settledQuestions'> }) {
  const { data, error } = useQuery(routeQuery('settledQuestions', of))
  return (
    <>
      <Failure error={error} />
      {data?.items.map((item) => (
        <PastQuestion key={item.question.id} item={item} />
      ))}
      {data?.items.length === 0 && (
        <p className={styles.faint}>The question about it was forgotten with its arguments.</p>
      )}
    </>
  )
}

function PastQuestion({ item }: { readonly item: PastQuestion }) {
  const { question, at, why, content } = item
  const asked = question.detail.arguments ?? question.detail
  return (
    <div className={styles.hop}>
      <h3>
        <Said text={longWords(question)} />
      </h3>
      <p>
        <Said text={decisionWords(item)} />, {duration(Math.max(0, at - question.askedAt))} after it was asked
        {why !== undefined && (
          <>
            {': '}
            <Said text={why} />
          </>
        )}
      </p>
      <LongText text={prettyJson(asked)} label="The question was about" />
      {content !== undefined && <LongText text={prettyJson(content)} label="The person answered with" />}
    </div>
  )
}

const choices: { readonly [outcome: string]: string } = {
  once: 'Allowed once',
  session: 'Allowed for the session',
  project: 'Allowed in the project',
  always: 'Always allowed',
  refuse: 'Refused',
  expired: 'Not answered in time',
  withdrawn: 'Taken back',
}

function decisionWords({ outcome, by, question: { kind } }: PastQuestion): string {
  const isForm = kind === 'form' || kind === 'page' || kind === 'prompt'
  const words = isForm && outcome === 'once' ? 'Answered' : (choices[outcome] ?? outcome)
  return by === undefined ? words : `${words} by ${by}`
}
