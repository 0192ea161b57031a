import { useEffect } from 'react'
import type { Question } from '../host/queries.ts'
import { DescriptionList } from '../parts/description-list.tsx'
import { Panel } from '../parts/panel.tsx'
import { Said } from '../text/said.tsx'
import { Time } from '../text/time.tsx'
import { CallQuestion } from './call-question.tsx'
import { DefinitionQuestion } from './definition-question.tsx'
import { FileQuestion } from './file-question.tsx'
import { FormQuestion } from './form-question.tsx'
import { PageQuestion } from './page-question.tsx'
import { ProgramQuestion } from './program-question.tsx'
import { longWords } from './question-words.ts'
import { ResultQuestion } from './result-question.tsx'
import { showQuestion } from './shown-questions.ts'
import { StartQuestion } from './start-question.tsx'
import { TextQuestion } from './text-question.tsx'

/** A question in full, with its answers. */
export function QuestionDetail({ question }: { readonly question: Question }) {
  useEffect(() => showQuestion(question.id), [question.id])
  const { server, principal, project, why, askedAt, expiresAt, detail } = question
  return (
    <Panel title={<Said text={longWords(question)} oneLine />}>
      <DescriptionList>
        <dt>Server</dt>
        <dd>
          <Said text={server} />
        </dd>
        <During detail={detail} />
        <dt>Asked by</dt>
        <dd>
          <Said text={principal} />
          {project !== undefined && (
            <>
              {' '}
              in <Said text={project} />
            </>
          )}
          , <Time at={askedAt} />
        </dd>
        <dt>Because</dt>
        <dd>
          <Said text={why} />
        </dd>
        <dt>Expires</dt>
        <dd>
          <Time at={expiresAt} />
        </dd>
      </DescriptionList>
      <Body question={question} />
    </Panel>
  )
}

/** The call during which a server asks, where the host knows it. */
function During({ detail: { during } }: { readonly detail: Question['detail'] }) {
  const { target, client } = (during ?? {}) as { readonly target?: string; readonly client?: string }
  if (target === undefined || client === undefined) return null
  return (
    <>
      <dt>During</dt>
      <dd>
        the call of <Said text={target} oneLine /> by <Said text={client} oneLine />
      </dd>
    </>
  )
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
