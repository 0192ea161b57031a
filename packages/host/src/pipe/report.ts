import type { StopReason } from './step-error.ts'

/** Progress of one step, in calls. */
export interface StepProgress {
  readonly step: string
  readonly tool: string
  readonly done: number
  readonly failed: number
  /** Calls that began and whose outcome is unknown. */
  readonly unknown: number
}

/** A call that is worth naming: it failed, or its outcome is unknown. */
export interface NotableCall {
  /** Such as `notes/save[3]`. */
  readonly call: string
  readonly state: 'failed' | 'unknown'
  readonly why?: string
}

/** Report on a run of a plan. */
export interface PipeReport {
  readonly run: string
  /** `interrupted` means that the host ended meanwhile; such a run is never taken up again. */
  readonly state: 'running' | 'done' | 'stopped' | 'interrupted'
  readonly at: string
  readonly ms?: number
  /** The trace id of all its calls. */
  readonly trace: string
  readonly steps: readonly StepProgress[]
  readonly stopped?: { readonly step: string; readonly reason: StopReason; readonly message: string }
  readonly notable: readonly NotableCall[]
}

/** A report in words, one line per step. */
export function reportText({ run, state, steps, stopped, notable }: PipeReport): string {
  const lines = steps.map(({ step, tool, done, failed, unknown }) => {
    const parts = [
      `${done} done`,
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(unknown > 0 ? [`${unknown} unknown`] : []),
    ]
    return `${step} (${tool}): ${done + failed + unknown === 0 ? 'not begun' : parts.join(', ')}`
  })
  const ended = { running: 'is running', done: 'is done', stopped: 'was stopped', interrupted: interrupted }[state]
  const why = stopped ? `: step "${stopped.step}" (${stopped.reason}): ${stopped.message}` : ''
  const calls = notable.map(
    ({ call, state: how, why: said }) => `${call}: ${how}${said === undefined ? '' : `, ${said}`}`,
  )
  return [`Run ${run} ${ended}${why}`, ...lines, ...calls].join('\n')
}

const interrupted = 'was interrupted when the host ended, and is not taken up again'
