import { useEffect, useRef, useState } from 'react'
import { addPastRun, type RunAnswer } from './run-history.ts'

type Input = Record<string, unknown>

/** State of a run. */
export type RunState =
  | { readonly state: 'none' }
  | { readonly state: 'running'; readonly run: string }
  | { readonly state: 'done'; readonly input: Input; readonly answer: RunAnswer }
  | { readonly state: 'cancelled' }
  | { readonly state: 'failed'; readonly error: unknown }

/** Runs something that a server offers; closing the page or leaving the screen cancels it. */
export function useRun(of: string, ask: (run: string, input: Input, signal: AbortSignal) => Promise<RunAnswer>) {
  const [run, setRun] = useState<RunState>({ state: 'none' })
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const start = async (input: Input) => {
    stop.current?.abort()
    const mine = new AbortController()
    stop.current = mine
    const id = crypto.randomUUID()
    setRun({ state: 'running', run: id })
    try {
      const answer = await ask(id, input, mine.signal)
      addPastRun({ id, of, at: Date.now(), input, answer })
      if (stop.current === mine) setRun({ state: 'done', input, answer })
    } catch (error) {
      if (stop.current === mine) setRun(mine.signal.aborted ? { state: 'cancelled' } : { state: 'failed', error })
    }
  }
  return {
    run,
    start,
    cancel: () => stop.current?.abort(),
    show: (answer: RunAnswer, input: Input = {}) => setRun({ state: 'done', input, answer }),
  }
}
