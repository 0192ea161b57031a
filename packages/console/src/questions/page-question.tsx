import type { Question } from '../host/queries.ts'
import { Button } from '../parts/button.tsx'
import { Code } from '../parts/code.tsx'
import { Notice } from '../parts/notice.tsx'
import { readAddress } from '../text/address.ts'
import { AnswerBar } from './answer-bar.tsx'
import { HostName } from './host-name.tsx'
import styles from './questions.module.css'
import { useAnswer } from './use-answer.ts'

/** A page that a server wants a person to visit: where it really leads. */
export function PageQuestion({ question: { id, kind, server, target, detail } }: { readonly question: Question }) {
  const url = String(detail.url ?? detail.page ?? target)
  const address = readAddress(url)
  const answer = useAnswer(id)
  return (
    <>
      <div className={styles.part}>
        <span className={styles.partTitle}>The page is at</span>
        {address ? <HostName address={address} /> : <Notice tone="bad">This is not the address of a page.</Notice>}
        {address && !address.isSecure && <Notice tone="bad">Anybody on the way can read and change this page.</Notice>}
        <Code text={url} label="address" />
        <p className={styles.why}>
          {server} learns that you went there only if the page tells it. What you enter there goes to that page, not
          through Trunkline.
        </p>
      </div>
      <AnswerBar answer={answer} refusal="Refuse">
        <Button
          tone="primary"
          disabled={!address || answer.isPending}
          onClick={() => {
            window.open(url, '_blank', 'noopener,noreferrer')
            // a sign-in is its own answer; the host hears of it
            if (kind === 'page') answer.mutate({ choice: 'once' })
          }}
        >
          Open {address?.host ?? 'it'}
        </Button>
      </AnswerBar>
    </>
  )
}
