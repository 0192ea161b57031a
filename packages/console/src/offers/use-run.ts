import { useEffect } from 'react'
import { createStore, useStore } from '../host/store.ts'
import { addPastRun, type RunAnswer } from './run-history.ts'

type Input = Record<string, unknown>

/** State of a run. */
export type RunState =
  | { readonly state: 'none' }
  | { readonly state: 'running'; readonly run: string; readonly startedAt: number }
  | { readonly state: 'done'; readonly input: Input; readonly answer: RunAnswer }
  | { readonly state: 'cancelled' }
  | { readonly state: 'failed'; readonly error: unknown }

/** Runs of this page by their subject: they go on when a person looks at something else. */
export const runs = createStore<ReadonlyMap<string, RunState>>(new Map())

const none: RunState = { state: 'none' }
const stops = new Map<string, AbortController>()

function setRun(of: string, state: RunState): void {
  const next = new Map(runs.get())
  if (state.state === 'none') next.delete(of)
  else next.set(of, state)
  runs.set(next)
}

/** Runs something that a server offers. Closing the page cancels it; leaving the screen does not. */
export function useRun(of: string, ask: (run: string, input: Input, signal: AbortSignal) => Promise<RunAnswer>) {
  const run = useStore(runs).get(of) ?? none
  useEffect(
    () => () => {
      // one that has ended was seen; one that goes on is there for who comes back
      if (runs.get().get(of)?.state !== 'running') setRun(of, none)
    },
    [of],
  )
  const start = async (input: Input) => {
    stops.get(of)?.abort()
    const mine = new AbortController()
    stops.set(of, mine)
    const id = crypto.randomUUID()
    setRun(of, { state: 'running', run: id, startedAt: Date.now() })
    try {
      const answer = await ask(id, input, mine.signal)
      addPastRun({ id, of, at: Date.now(), input, answer })
      if (stops.get(of) === mine) setRun(of, { state: 'done', input, answer })
    } catch (error) {
      if (stops.get(of) === mine) setRun(of, mine.signal.aborted ? { state: 'cancelled' } : { state: 'failed', error })
    }
  }
  return {
    run,
    start,
    cancel: () => stops.get(of)?.abort(),
    show: (answer: RunAnswer, input: Input = {}) => setRun(of, { state: 'done', input, answer }),
  }
}
