import { useQuery } from '@tanstack/react-query'
import { AcceptServer } from '../accept/accept-server.tsx'
import { LaunchFacts } from '../accept/launch-facts.tsx'
import { type Question, serversQuery } from '../host/queries.ts'
import { Code } from '../parts/code.tsx'
import { Said } from '../text/said.tsx'
import { AnswerBar } from './answer-bar.tsx'
import styles from './questions.module.css'
import { useAnswer } from './use-answer.ts'

/** Question about a server that is not accepted yet: exactly what would be started. */
export function StartQuestion({ question: { id, server, target, detail } }: { readonly question: Question }) {
  const answer = useAnswer(id)
  const needs = texts(detail.needs)
  const known = useQuery(serversQuery).data?.items.find(({ name }) => name === server)
  const hash = known?.commandHash ?? String(detail.hash ?? '')
  const what = detail.url === undefined ? 'command' : 'address'
  return (
    <>
      <div className={styles.part}>
        <span className={styles.partTitle}>{what === 'command' ? 'The command, in full' : 'The address'}</span>
        <Code text={target} label="command" />
        <LaunchFacts
          {...(typeof detail.cwd === 'string' && { folder: detail.cwd })}
          variables={texts(detail.environment ?? detail.headers)}
          {...(typeof detail.sandbox === 'string' && { sandbox: detail.sandbox })}
          runs={texts(detail.runs)}
          differences={texts(detail.differences)}
          isProgram={what === 'command'}
        />
        {needs.length > 0 && (
          <p className={styles.why}>
            It says that it needs <Said text={needs.join(', ')} />
          </p>
        )}
        {typeof detail.updates === 'string' && (
          <p className={styles.why}>
            <Said text={detail.updates} />
          </p>
        )}
      </div>
      <AnswerBar answer={answer} refusal="Refuse">
        <AcceptServer server={server} commandHash={hash} what={what} />
      </AnswerBar>
    </>
  )
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}
