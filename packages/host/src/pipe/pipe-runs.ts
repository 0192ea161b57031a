import { randomBytes } from 'node:crypto'
import type { Store } from '../store/store.ts'
import { PipeRunTable } from '../store/tables/pipe-run-table.ts'
import type { CallStep, Step } from './plan.ts'
import type { NotableCall, PipeReport, StepProgress } from './report.ts'
import type { CallPlace } from './run-plan.ts'

/** A run that is recorded while it goes on. */
export interface RecordedRun {
  readonly id: string
  /** Recorded before the first byte leaves. */
  began(place: CallPlace): Promise<EndOfCall>
  /** A call that failed before anything left. */
  untried(place: CallPlace, why: string): Promise<void>
  ended(stopped?: PipeReport['stopped']): Promise<void>
}

/** Records how a call ended. */
export type EndOfCall = (state: 'done' | 'failed', why?: string) => Promise<void>

/** Failed and unknown calls that a report names. */
const maxNotable = 50
const maxWhy = 500

/** Log of the runs of plans, so that they can be reported after the host was killed; they are never resumed. */
export class PipeRuns {
  readonly #store: Store
  readonly #table: PipeRunTable
  readonly #maxRemembered: () => number

  constructor(store: Store, maxRemembered: () => number) {
    this.#store = store
    this.#table = new PipeRunTable(store)
    this.#maxRemembered = maxRemembered
    this.#table.interruptRunning()
  }

  async begin(principal: string, trace: string, steps: readonly Step[]): Promise<RecordedRun> {
    const id = randomBytes(6).toString('hex')
    let run = 0
    await this.#store.batch(() => {
      run = this.#table.insert({ id, principal, trace, at: Date.now(), steps: JSON.stringify(callsIn(steps)) })
      this.#table.removeUpTo(run - this.#maxRemembered())
    })
    return {
      id,
      began: (place) => this.#began(run, place),
      untried: async (place, why) => (await this.#began(run, place))('failed', why),
      ended: (stopped) => this.#ended(run, stopped),
    }
  }

  /** Report on a run of this principal; on its last one when none is named. */
  find(principal: string, id: string | undefined): PipeReport | undefined {
    const found = this.#table.find(principal, id)
    if (!found) return undefined
    const { number, state, at, endedAt, trace, steps, stopped } = found
    return {
      run: found.id,
      state,
      at: new Date(at).toISOString(),
      ...(endedAt !== undefined && { ms: endedAt - at }),
      trace,
      ...(stopped !== undefined && { stopped: JSON.parse(stopped) }),
      ...this.#calls(number, JSON.parse(steps), state),
    }
  }

  async #began(run: number, { step, item }: CallPlace): Promise<EndOfCall> {
    let call = 0
    await this.#store.batch(() => {
      call = this.#table.insertCall(run, step, item)
    })
    return (state, why) => this.#store.batch(() => this.#table.endCall(call, state, why?.slice(0, maxWhy)))
  }

  #ended(run: number, stopped: PipeReport['stopped']): Promise<void> {
    const state = stopped ? 'stopped' : 'done'
    const where = stopped && JSON.stringify(stopped)
    return this.#store.batch(() => this.#table.end(run, { state, endedAt: Date.now(), stopped: where }))
  }

  #calls(run: number, planned: readonly (readonly [step: string, tool: string])[], state: PipeReport['state']) {
    const counts = this.#table.countCalls(run)
    const count = (step: string, of: string): number =>
      counts.find((row) => row.step === step && row.state === of)?.count ?? 0
    const steps = planned.map(([step, tool]): StepProgress => {
      // calls under way are not unknown
      const unknown = state === 'running' ? 0 : count(step, 'began')
      return { step, tool, done: count(step, 'done'), failed: count(step, 'failed'), unknown }
    })
    const undone = this.#table.undoneCalls(run, maxNotable)
    const notable = undone.flatMap(({ step, item, state: how, why }): NotableCall[] => {
      if (how === 'began' && state === 'running') return []
      const call = `${step}${item}`
      return [{ call, state: how === 'began' ? 'unknown' : 'failed', ...(why !== undefined && { why }) }]
    })
    return { steps, notable }
  }
}

/** The calls of a plan, in order. */
export function callsIn(
  steps: readonly Step[],
  path: readonly string[] = [],
): (readonly [step: string, tool: string])[] {
  return steps.flatMap((step) => {
    const here = [...path, step.id]
    if (step.kind === 'call') return [[here.join('/'), (step as CallStep).tool] as const]
    return 'steps' in step ? callsIn(step.steps, here) : []
  })
}
