import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { Failure } from '../parts/failure.tsx'
import { Notice } from '../parts/notice.tsx'
import { LongText } from '../result/long-text.tsx'
import { Result } from '../result/result.tsx'
import { prettyJson } from '../text/json.ts'
import { duration } from '../text/relative-time.ts'
import { Said } from '../text/said.tsx'
import { AsksFirst, useOwnQuestion } from './asks-first.tsx'
import styles from './offers.module.css'
import type { CallOfPage } from './own-question.ts'
import type { RunAnswer } from './run-history.ts'
import { RunProgress } from './run-progress.tsx'
import type { RunState } from './use-run.ts'
import { WhatToDo } from './what-to-do.tsx'

export interface RunOutcomeProps {
  readonly run: RunState
  readonly server: string
  readonly name: string
  /** Buttons for the answer. */
  readonly actions?: ReactNode
  /** Address of the resource that is read; its head stands above. */
  readonly of?: string | undefined
}

/** State of a run: the question it waits for, its progress, its answer. */
export function RunOutcome({ run, server, name, actions, of }: RunOutcomeProps) {
  if (run.state === 'none') return null
  const isDone = run.state === 'done'
  return (
    <section className={styles.outcome} aria-label="Outcome">
      {run.state === 'running' && <Running run={run} call={{ server, name, startedAt: run.startedAt }} />}
      {run.state === 'cancelled' && <Notice live>Cancelled. The server was told to stop.</Notice>}
      {run.state === 'failed' && <Failure error={run.error} />}
      {isDone && <Answer answer={run.answer} server={server} name={name} actions={actions} of={of} />}
      <p role="status" className="visually-hidden">
        {isDone && (isFailure(run.answer) ? 'It failed' : 'The result is here')}
      </p>
    </section>
  )
}

function isFailure({ error, result }: RunAnswer): boolean {
  return error !== undefined || result?.isError === true
}

interface AnswerProps extends Pick<RunOutcomeProps, 'server' | 'name' | 'actions' | 'of'> {
  readonly answer: RunAnswer
}

/** The answer of a run; the reason of a failure stands in a band with what to do about it. */
function Answer({ answer, server, name, actions, of }: AnswerProps) {
  const { error, result, trace, ms } = answer
  const navigate = useNavigate()
  const open = (uri: string) =>
    void navigate({ to: '/resources/$server/$name', params: { server, name: uri }, search: {} })
  const advice = <WhatToDo server={server} name={name} code={error?.code} {...(trace !== undefined && { trace })} />
  return (
    <>
      {error && (
        <>
          <Notice tone="bad" live>
            <strong>
              <Said text={error.message} />
              {error.code !== undefined && ` (code ${error.code})`}
            </strong>{' '}
            <span className={styles.faint}>{duration(ms)}</span>
            {advice}
          </Notice>
          {error.data !== undefined && <LongText text={prettyJson(error.data)} label="error data" />}
        </>
      )}
      {result && (
        <Result
          result={result}
          facts={duration(ms)}
          actions={actions}
          onOpenResource={open}
          {...(of !== undefined && { of })}
        />
      )}
      {result?.isError === true && <Notice tone="bad">{advice}</Notice>}
    </>
  )
}

interface RunningProps {
  readonly run: Extract<RunState, { readonly state: 'running' }>
  readonly call: CallOfPage
}

function Running({ run: { run }, call }: RunningProps) {
  const question = useOwnQuestion(call)
  const place = useRef<HTMLDivElement>(null)
  const id = question?.id
  useEffect(() => {
    if (id === undefined) return
    place.current?.scrollIntoView({ block: 'nearest' })
    // a person who types elsewhere meanwhile goes on with that
    if (!isTyping()) place.current?.focus({ preventScroll: true })
  }, [id])
  if (!question) return <RunProgress run={run} />
  return (
    <div ref={place} tabIndex={-1} className={styles.asks}>
      <AsksFirst question={question} />
    </div>
  )
}

function isTyping(): boolean {
  return document.activeElement?.matches('input, textarea, select, [contenteditable="true"]') ?? false
}
