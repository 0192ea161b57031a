import { useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Code } from '../parts/code.tsx'
import { Failure } from '../parts/failure.tsx'
import { Notice } from '../parts/notice.tsx'
import { Said } from '../text/said.tsx'
import type { AppTalk } from './app-talk.ts'
import styles from './apps.module.css'
import type { Asked } from './asked.ts'

export interface AppMessageProps {
  readonly message: Asked<string>
  readonly server: string
  readonly talk: AppTalk
}

/** Message that an app wants to send to the conversation: shown word for word, and sent by a click alone. */
export function AppMessage({ message, server, talk }: AppMessageProps) {
  const [problem, setProblem] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const send = async () => {
    setSending(true)
    setProblem(undefined)
    try {
      await talk.say(message.wanted)
      message.answer(true)
    } catch (error) {
      setProblem(error)
    }
    setSending(false)
  }
  return (
    <Notice tone="warn" live>
      <div className={styles.message}>
        <p>
          The app of <Said text={server} oneLine /> wants this to be said in the conversation, as your message:
        </p>
        <Code text={message.wanted} label="message of the app" canCopy={false} />
        <div className={styles.start}>
          <Button size="s" disabled={talk.isBusy || isSending} onClick={() => void send()}>
            Send it as my message
          </Button>
          <Button size="s" onClick={() => message.answer(false)}>
            Do not send it
          </Button>
          {talk.isBusy && <span className={styles.faint}>It can be sent when the model has answered.</span>}
        </div>
        <Failure error={problem} />
      </div>
    </Notice>
  )
}
