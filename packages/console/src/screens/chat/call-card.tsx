import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { AppPanel } from '../../apps/app-panel.tsx'
import type { AppTalk } from '../../apps/app-talk.ts'
import type { ChatResult } from '../../host/conversation.ts'
import type { CatalogueEntry, Question } from '../../host/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Code } from '../../parts/code.tsx'
import { QuestionDetail } from '../../questions/question-detail.tsx'
import { RawButton, Result } from '../../result/result.tsx'
import { prettyJson } from '../../text/json.ts'
import { duration } from '../../text/relative-time.ts'
import { Said } from '../../text/said.tsx'
import styles from './chat.module.css'

export interface CallCardProps {
  readonly call: { readonly id: string; readonly name: string; readonly arguments: { readonly [key: string]: unknown } }
  /** The tool, as far as it is still offered. */
  readonly tool: CatalogueEntry | undefined
  readonly result: ChatResult | undefined
  /** Question about it, while it waits. */
  readonly question: Question | undefined
  readonly isUnderway: boolean
  /** Conversation that its app may send messages to. */
  readonly talk: AppTalk
}

/** A call that the model wants: its arguments before it runs, its question where it asks, its result after. */
export function CallCard({ call, tool, result, question, isUnderway, talk }: CallCardProps) {
  const navigate = useNavigate()
  const [isRaw, setRaw] = useState(false)
  const name = tool?.original ?? call.name
  const open = (uri: string) =>
    tool && void navigate({ to: '/resources/$server/$name', params: { server: tool.server, name: uri }, search: {} })
  return (
    <article className={styles.call} aria-label={`Call of ${name}`}>
      <header className={styles.callHead}>
        <strong>
          <Said text={name} oneLine />
        </strong>
        {tool && (
          <span className={styles.faint}>
            of <Said text={tool.server} oneLine />
          </span>
        )}
        <State result={result} question={question} isUnderway={isUnderway} />
        {result?.ms !== undefined && <span className={styles.faint}>{duration(result.ms)}</span>}
        {result && (
          <span className={styles.callActions}>
            <RawButton isRaw={isRaw} onChange={setRaw} />
          </span>
        )}
      </header>
      {question ? (
        <QuestionDetail key={question.id} question={question} />
      ) : (
        <details open={!result}>
          <summary>Arguments</summary>
          <Code text={prettyJson(call.arguments)} label={`arguments of ${name}`} />
        </details>
      )}
      {result && <Result result={{ ...result }} onOpenResource={open} isRaw={isRaw} />}
      {result && tool && <AppPanel call={{ tool, input: call.arguments, result: resultOf(result) }} talk={talk} />}
    </article>
  )
}

/** The result as its tool returned it. */
function resultOf({ content, structuredContent, isError }: ChatResult) {
  return { content, isError, ...(structuredContent !== undefined && { structuredContent }) }
}

function State({ result, question, isUnderway }: Pick<CallCardProps, 'result' | 'question' | 'isUnderway'>) {
  if (result) return <Badge tone={result.isError ? 'bad' : 'good'}>{result.isError ? 'failed' : 'done'}</Badge>
  if (question) return <Badge tone="warn">asks you</Badge>
  return isUnderway ? <Badge tone="accent">runs</Badge> : <Badge>no result is known</Badge>
}
