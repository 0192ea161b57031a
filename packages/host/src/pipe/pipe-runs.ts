import { randomBytes } from 'node:crypto'
import type { Store } from '../store/store.ts'
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
  readonly #maxRemembered: () => number

  constructor(store: Store, maxRemembered: () => number) {
    this.#store = store
    this.#maxRemembered = maxRemembered
    store.database.prepare("UPDATE pipe_run SET state = 'interrupted' WHERE state = 'running'").run()
  }

  async begin(principal: string, trace: string, steps: readonly Step[]): Promise<RecordedRun> {
    const id = randomBytes(6).toString('hex')
    const { database } = this.#store
    let run = 0
    await this.#store.batch(() => {
      const insert = database.prepare(
        "INSERT INTO pipe_run (id, principal, trace, at, state, steps) VALUES (?, ?, ?, ?, 'running', ?)",
      )
      run = Number(insert.run(id, principal, trace, Date.now(), JSON.stringify(callsIn(steps))).lastInsertRowid)
      database
        .prepare('DELETE FROM pipe_run WHERE number <= ? AND state <> ?')
        .run(run - this.#maxRemembered(), 'running')
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
    const { database } = this.#store
    const row =
      id === undefined
        ? database.prepare('SELECT * FROM pipe_run WHERE principal = ? ORDER BY number DESC LIMIT 1').get(principal)
        : database.prepare('SELECT * FROM pipe_run WHERE principal = ? AND id = ?').get(principal, id)
    if (!row) return undefined
    const state = row.state as PipeReport['state']
    const { stopped, ended_at: endedAt, at } = row
    return {
      run: String(row.id),
      state,
      at: new Date(Number(at)).toISOString(),
      ...(endedAt !== null && { ms: Number(endedAt) - Number(at) }),
      trace: String(row.trace),
      ...(typeof stopped === 'string' && { stopped: JSON.parse(stopped) }),
      ...this.#calls(Number(row.number), JSON.parse(String(row.steps)), state),
    }
  }

  async #began(run: number, { step, item }: CallPlace): Promise<EndOfCall> {
    const { database } = this.#store
    let call = 0
    await this.#store.batch(() => {
      const insert = database.prepare("INSERT INTO pipe_call (run, step, item, state) VALUES (?, ?, ?, 'began')")
      call = Number(insert.run(run, step, item).lastInsertRowid)
    })
    return (state, why) =>
      this.#store.batch(() => {
        const update = database.prepare('UPDATE pipe_call SET state = ?, why = ? WHERE number = ?')
        update.run(state, why?.slice(0, maxWhy) ?? null, call)
      })
  }

  #ended(run: number, stopped: PipeReport['stopped']): Promise<void> {
    return this.#store.batch(() => {
      this.#store.database
        .prepare('UPDATE pipe_run SET state = ?, ended_at = ?, stopped = ? WHERE number = ?')
        .run(stopped ? 'stopped' : 'done', Date.now(), stopped ? JSON.stringify(stopped) : null, run)
    })
  }

  #calls(run: number, planned: readonly (readonly [step: string, tool: string])[], state: PipeReport['state']) {
    const { database } = this.#store
    const rows = database
      .prepare('SELECT step, state, count(*) AS count FROM pipe_call WHERE run = ? GROUP BY step, state')
      .all(run)
    const count = (step: string, of: string): number =>
      Number(rows.find((row) => row.step === step && row.state === of)?.count ?? 0)
    const steps = planned.map(([step, tool]): StepProgress => {
      // calls under way are not unknown
      const unknown = state === 'running' ? 0 : count(step, 'began')
      return { step, tool, done: count(step, 'done'), failed: count(step, 'failed'), unknown }
    })
    const named = database.prepare("SELECT * FROM pipe_call WHERE run = ? AND state <> 'done' ORDER BY number LIMIT ?")
    const notable = named.all(run, maxNotable).flatMap(({ step, item, state: how, why }): NotableCall[] => {
      if (how === 'began' && state === 'running') return []
      const call = `${step}${item}`
      return [{ call, state: how === 'began' ? 'unknown' : 'failed', ...(typeof why === 'string' && { why }) }]
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
