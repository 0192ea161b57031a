import { useQuery } from '@tanstack/react-query'
import { AcceptServer } from '../accept/accept-server.tsx'
import { type Question, serversQuery } from '../host/queries.ts'
import { Button } from '../parts/button.tsx'
import { Code } from '../parts/code.tsx'
import { Facts } from '../parts/facts.tsx'
import { Failure } from '../parts/failure.tsx'
import { Said } from '../text/said.tsx'
import styles from './questions.module.css'
import { useAnswer } from './use-answer.ts'

/** A server that nobody accepted yet: exactly what would be started. */
export function StartQuestion({ question: { id, server, target, detail } }: { readonly question: Question }) {
  const answer = useAnswer(id)
  const known = useQuery(serversQuery).data?.items.find(({ name }) => name === server)
  const hash = known?.commandHash ?? String(detail.hash ?? '')
  return (
    <>
      <div className={styles.part}>
        <span className={styles.partTitle}>{detail.url === undefined ? 'The command, in full' : 'The address'}</span>
        <Code text={target} label="command" />
        <Facts>
          {Object.entries(detail)
            .filter(([name]) => name === 'cwd' || name === 'environment' || name === 'headers')
            .map(([name, value]) => (
              <Fact key={name} name={name} value={value} />
            ))}
        </Facts>
        <p className={styles.why}>
          It runs with your rights: it can read your files and use your network. Accepting also pins the tools it
          offers.
        </p>
      </div>
      <div className={styles.bar}>
        <AcceptServer server={server} commandHash={hash} />
        <div className="buttons">
          <Button tone="danger" disabled={answer.isPending} onClick={() => answer.mutate({ choice: 'refuse' })}>
            Refuse
          </Button>
        </div>
        <Failure error={answer.error} />
      </div>
    </>
  )
}

const names: { readonly [key: string]: string } = { cwd: 'Directory', environment: 'Variables', headers: 'Headers' }

function Fact({ name, value }: { readonly name: string; readonly value: unknown }) {
  const text = Array.isArray(value) ? value.join(', ') : String(value)
  return (
    <>
      <dt>{names[name]}</dt>
      <dd>
        <Said text={text === '' ? 'none' : text} />
      </dd>
    </>
  )
}
