import { useQuery } from '@tanstack/react-query'
import { contentSecurityPolicy, type View } from '@trunkline/mcp/apps'
import { inboxQuery } from '../host/queries.ts'
import { Button } from '../parts/button.tsx'
import { Code } from '../parts/code.tsx'
import { Notice } from '../parts/notice.tsx'
import { QuestionDetail } from '../questions/question-detail.tsx'
import { Said } from '../text/said.tsx'
import { AppLink } from './app-link.tsx'
import { AppMessage } from './app-message.tsx'
import type { ShownCall } from './app-panel.tsx'
import type { AppTalk } from './app-talk.ts'
import styles from './apps.module.css'
import { useApp } from './use-app.ts'

export interface AppFrameProps {
  readonly view: View
  readonly call: ShownCall
  /** The conversation that it is shown in. @default it can say nothing */
  readonly talk?: AppTalk
  onClose(): void
}

/** An app that runs: its frame, what it asks, and what it is held to. */
export function AppFrame({ view, call, talk, onClose }: AppFrameProps) {
  const { server } = call.tool
  const { place, ended, link, message, notes, close } = useApp({ view, call, canTalk: talk !== undefined })
  const questions = useQuery(inboxQuery).data?.items ?? []
  const asked = questions.filter((question) => question.principal === 'app' && question.server === server)
  return (
    <div className={styles.app}>
      {ended === undefined ? (
        <div ref={place} className={styles.place} />
      ) : (
        <Notice tone="warn" live>
          <Said text={ended} />
        </Notice>
      )}
      {asked.map((question) => (
        <QuestionDetail key={question.id} question={question} />
      ))}
      {link && ended === undefined && <AppLink link={link} server={server} />}
      {message && talk && ended === undefined && <AppMessage message={message} server={server} talk={talk} />}
      <div className={styles.start}>
        <Button size="s" onClick={() => void close().then(onClose)}>
          Close the app
        </Button>
        <span className={styles.faint}>
          {Object.keys(view.csp).length === 0
            ? 'It reaches no other host.'
            : 'It reaches the hosts that you let it reach.'}
        </span>
      </div>
      <details>
        <summary>What holds it</summary>
        <Code text={contentSecurityPolicy(view.csp).replaceAll('; ', ';\n')} label="content security policy" />
      </details>
      {notes.length > 0 && (
        <details>
          <summary>What it wrote</summary>
          <Code text={notes.join('\n')} label="notes of the app" />
        </details>
      )}
    </div>
  )
}
