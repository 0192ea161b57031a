import { Link } from '@tanstack/react-router'
import { useShortPaths } from '../../host/home.ts'
import type { Question } from '../../host/queries.ts'
import { DetailView } from '../../parts/detail-view.tsx'
import { longWords } from '../../questions/question-words.ts'
import { LongText } from '../../result/long-text.tsx'
import { prettyJson } from '../../text/json.ts'
import { Said } from '../../text/said.tsx'
import { Time } from '../../text/time.tsx'

export interface SettledDetailProps {
  readonly question: Question
  readonly at: number
  /** Outcome and decider in words. */
  readonly words: string
  /** A sentence of the person, or the reason of the host. */
  readonly why?: string | undefined
  /** Content of the person in place of what was asked about. */
  readonly content?: unknown
}

/** A question that waits no more: what became of it, what it was about, and the call. */
export function SettledDetail({ question, at, words, why, content }: SettledDetailProps) {
  const { act, arguments: asked } = question.detail
  const short = useShortPaths()
  return (
    <DetailView
      title={<Said text={longWords(question)} oneLine />}
      facts={[
        <Said key="server" text={question.server} oneLine />,
        <span key="by">
          asked by <Said text={question.principal} oneLine /> <Time at={question.askedAt} />
        </span>,
      ]}
      actions={
        typeof act === 'string' && (
          <Link to="/activity/$act" params={{ act }}>
            See the call
          </Link>
        )
      }
    >
      <p role="status">
        Settled <Time at={at} />: <Said text={words} />
        {why !== undefined && (
          <>
            {'. '}
            <Said text={short(why)} />
          </>
        )}
      </p>
      <LongText text={prettyJson(asked ?? question.detail)} label="The question was about" />
      {content !== undefined && <LongText text={prettyJson(content)} label="The person answered with" />}
    </DetailView>
  )
}
