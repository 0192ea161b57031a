import { useEffect } from 'react'
import { useShortPaths } from '../host/home.ts'
import type { Question } from '../host/queries.ts'
import { DetailView } from '../parts/detail-view.tsx'
import { Said } from '../text/said.tsx'
import { Time } from '../text/time.tsx'
import { CallQuestion } from './call-question.tsx'
import { DefinitionQuestion } from './definition-question.tsx'
import { FileQuestion } from './file-question.tsx'
import { FormQuestion } from './form-question.tsx'
import { PageQuestion } from './page-question.tsx'
import { ProgramQuestion } from './program-question.tsx'
import { longWords } from './question-words.ts'
import styles from './questions.module.css'
import { ResultQuestion } from './result-question.tsx'
import { showQuestion } from './shown-questions.ts'
import { StartQuestion } from './start-question.tsx'
import { TextQuestion } from './text-question.tsx'

/** A question in full, with its answers: the question itself first, then who asks, and why. */
export function QuestionDetail({ question }: { readonly question: Question }) {
  useEffect(() => showQuestion(question.id), [question.id])
  const { server, principal, project, why, askedAt, expiresAt, detail } = question
  const short = useShortPaths()
  const during = callDuring(detail)
  return (
    <DetailView
      title={<Said text={longWords(question)} oneLine />}
      facts={[
        <Said key="server" text={server} oneLine />,
        <span key="by">
          asked by <Said text={principal} oneLine />
          {project !== undefined && (
            <>
              {' '}
              in <Said text={short(project)} oneLine />
            </>
          )}{' '}
          <Time at={askedAt} />
        </span>,
        during && (
          <span key="during">
            during the call of <Said text={during.target} oneLine /> by <Said text={during.client} oneLine />
          </span>
        ),
        <span key="expires">
          expires <Time at={expiresAt} />
        </span>,
      ]}
    >
      <p className={styles.reason}>
        <span className={styles.why}>Because</span> <Said text={short(why)} />
      </p>
      <Body question={question} />
    </DetailView>
  )
}

/** The call during which a server asks, where the host knows it. */
function callDuring({ during }: Question['detail']): { readonly target: string; readonly client: string } | undefined {
  const { target, client } = (during ?? {}) as { readonly target?: string; readonly client?: string }
  return target === undefined || client === undefined ? undefined : { target, client }
}

function Body({ question }: { readonly question: Question }) {
  switch (question.kind) {
    case 'call':
      return <CallQuestion question={question} />
    case 'result':
      return <ResultQuestion question={question} />
    case 'form':
      return <FormQuestion question={question} />
    case 'page':
    case 'sign-in':
      return <PageQuestion question={question} />
    case 'definition':
      return <DefinitionQuestion question={question} />
    case 'start':
      return <StartQuestion question={question} />
    case 'client':
      return <ProgramQuestion question={question} />
    case 'file':
    case 'programs':
      return <FileQuestion question={question} />
    case 'prompt':
      return <TextQuestion question={question} />
  }
}
